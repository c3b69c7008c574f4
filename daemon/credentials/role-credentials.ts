// Gives a role's workers the values of its credentials. They are held in memory only.
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Clock } from "../core/clock.ts";
import { type CredentialSettings, type CredentialValue, readAtOnce, readValue } from "./read-source.ts";

/** A command may be slow or ask a person, so its output serves several calls. */
const KEPT_MS = 60_000;
/** The newest values are enough to recognise them in what pages show. */
const GIVEN_MAX = 100;

type Named = Readonly<Record<string, CredentialSettings>>;

export class RoleCredentials {
  readonly #settings: () => Named;
  readonly #ground: { env: NodeJS.ProcessEnv; clock: Clock };
  /** The answers of commands. */
  readonly #kept = new Map<string, { found: Promise<CredentialValue>; untilMs: number }>();
  /** The values that workers were given. Their successors keep them out of texts, too. */
  readonly #given = new Map<string, true>();

  /** The names that were read. */
  readonly #read = new Set<string>();

  /** `settings`: those of the moment. */
  constructor(settings: () => Named, ground: { env: NodeJS.ProcessEnv; clock: Clock }) {
    this.#settings = settings;
    this.#ground = ground;
  }

  /**
   * Returns the values that a worker keeps out of texts from its start. `restores`: its sessions may be those of an
   * earlier daemon, whose pages may show what that daemon's commands printed. Each command is run once for that.
   */
  async known({ restores }: { restores: boolean }): Promise<string[]> {
    const { env, clock } = this.#ground;
    // Codes change; those that were given are known.
    const lasting = Object.values(this.#settings()).filter(({ totp }) => !totp);
    if (restores) await this.#readUnread();
    const found = lasting.flatMap((each) => readAtOnce(each, { env, nowMs: clock.now() }) ?? []);
    const values = found.flatMap((each) => ("value" in each ? each.value : []));
    return [...new Set([...values, ...this.#given.keys()])];
  }

  async #readUnread(): Promise<void> {
    const unread = Object.entries(this.#settings()).filter(
      ([name, settings]) => isCommand(settings) && !settings.totp && !this.#read.has(name),
    );
    await Promise.all(unread.map(([name]) => this.read(name)));
  }

  /** Returns the value of that credential. */
  async read(name: string): Promise<CredentialValue> {
    this.#read.add(name);
    const all = this.#settings();
    const settings = Object.hasOwn(all, name) ? all[name] : undefined;
    if (!settings) return { problem: "is not configured any more" };
    const found = isCommand(settings) ? await this.#readKept(name, settings) : await this.#readNow(settings);
    if ("value" in found) keepNewest(this.#given, found.value, true, GIVEN_MAX);
    return found;
  }

  /** The next call reads the sources again. */
  forget(): void {
    this.#kept.clear();
  }

  #readNow(settings: CredentialSettings): Promise<CredentialValue> {
    const { env, clock } = this.#ground;
    return readValue(settings, { env, nowMs: clock.now() });
  }

  /** Calls that come meanwhile share one run. A failure is not kept. */
  async #readKept(name: string, settings: CredentialSettings): Promise<CredentialValue> {
    const { clock } = this.#ground;
    const kept = this.#kept.get(name);
    if (kept && kept.untilMs > clock.steady()) return await kept.found;
    const found = this.#readNow(settings);
    const entry = { found, untilMs: clock.steady() + KEPT_MS };
    this.#kept.set(name, entry);
    const value = await found;
    if ("problem" in value && this.#kept.get(name) === entry) this.#kept.delete(name);
    return value;
  }
}

/** Codes are made anew each time, so a command with a seed runs each time. */
function isCommand({ command }: CredentialSettings): boolean {
  return command !== undefined;
}
