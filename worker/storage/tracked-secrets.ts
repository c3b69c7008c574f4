// Keeps the secrets that were typed into a session in the daemon, which encrypts them. Another worker knows them again,
// and keeps them out of what it says.
import type { StoragePart } from "../../proto/gen/troupe.ts";
import { unfitSecret } from "../secrets/secret-finder.ts";
import { partName, type TypedSecret } from "./storage-parts.ts";

type Typist = TypedSecret["by"];

/** As many as one redactor knows. The oldest go first. */
const SECRETS_MAX = 500;
/** The beginning of a longer text is kept. */
const LENGTH_MAX = 10_000;
/** In characters of all. The oldest go first. */
const TOTAL_LENGTH_MAX = 200_000;

/** The daemon's side. */
export interface SecretsKeeper {
  report(part: StoragePart): void;
  /** Resolves when the daemon keeps all that was reported. */
  kept(): Promise<void>;
}

/** The typed secrets of a session. Each is reported at once: the next moment may be the worker's last. */
export class TrackedSecrets {
  readonly #keeper: SecretsKeeper;
  /** The kept secrets, each under its part's number, the oldest first. */
  readonly #kept = new Map<number, TypedSecret>();
  /** Those whose text is kept while its typing is not over. */
  readonly #typing = new Set<Typist>();
  /** Resolves when the daemon keeps them. Undefined while nothing has asked. */
  #isKept: Promise<void> | undefined = Promise.resolve();
  #length = 0;
  #next = 0;

  /** `stored`: what another worker reported, by the names of its parts. */
  constructor(
    keeper: SecretsKeeper,
    stored: ReadonlyMap<string, TypedSecret> = new Map<string, TypedSecret>(),
  ) {
    this.#keeper = keeper;
    const numbered = [...stored].filter(([name]) => /^\d+$/.test(name));
    for (const [name, secret] of numbered.toSorted(([one], [other]) => Number(one) - Number(other)))
      this.#put(Number(name), secret);
    // Nothing is added to a text that another worker has seen half of.
    for (const [name, secret] of stored) if (!/^\d+$/.test(name)) this.add(secret.by, secret.text);
  }

  /** Returns the secrets that this one typed, the oldest first. */
  by(typist: Typist): string[] {
    return [...this.#kept.values()].flatMap(({ by, text }) => (by === typist ? text : []));
  }

  /** Keeps a secret. A text that cannot be one is left out. */
  add(by: Typist, text: string): void {
    if (unfitSecret(text) !== undefined) return;
    const secret = { by, text: text.slice(0, LENGTH_MAX) };
    const known = [...this.#kept].find(([, each]) => each.by === by && each.text === secret.text)?.[0];
    if (known !== undefined && known === this.#next - 1) return;
    if (known !== undefined) this.#drop(known);
    const number = this.#next;
    this.#put(number, secret);
    this.#tell(String(number), secret);
    while (this.#kept.size > SECRETS_MAX || this.#length > TOTAL_LENGTH_MAX) {
      const [oldest = number] = this.#kept.keys();
      this.#drop(oldest);
    }
  }

  /** Keeps a secret that is still being typed, in the place of its beginning. An empty text ends it. */
  typing(by: Typist, text: string): void {
    if (unfitSecret(text) === undefined) {
      this.#typing.add(by);
      this.#tell(by, { by, text: text.slice(0, LENGTH_MAX) });
    } else if (this.#typing.delete(by)) {
      this.#tell(by, undefined);
    }
  }

  /** Resolves when another worker would know all of them. A page gets a secret after that. */
  async kept(): Promise<void> {
    this.#isKept ??= this.#keeper.kept();
    await this.#isKept;
  }

  #put(number: number, secret: TypedSecret): void {
    this.#kept.set(number, secret);
    this.#length += secret.text.length;
    this.#next = number + 1;
  }

  #drop(number: number): void {
    this.#length -= this.#kept.get(number)?.text.length ?? 0;
    this.#kept.delete(number);
    this.#tell(String(number), undefined);
  }

  #tell(of: string, secret: TypedSecret | undefined): void {
    const data = secret ? Buffer.from(JSON.stringify(secret)) : Buffer.alloc(0);
    this.#isKept = undefined;
    this.#keeper.report({ name: partName({ area: "secret", of }), data });
  }
}
