// Asks the daemon for the values of credentials. The daemon alone has their sources and its user's environment.
import type { CredentialAsked, GiveCredentialRequest } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import type { CredentialValue } from "../secrets/role-secrets.ts";

/** A command may take long, for example to ask a person. Its own bound is shorter. */
const ANSWER_MS_MAX = 30_000;

export class AskedCredentials {
  readonly #send: (asked: CredentialAsked) => void;
  readonly #waiting = new Map<string, PromiseWithResolvers<CredentialValue>>();

  constructor(send: (asked: CredentialAsked) => void) {
    this.#send = send;
  }

  async ask(name: string): Promise<CredentialValue> {
    const id = crypto.randomUUID();
    const waiting = Promise.withResolvers<CredentialValue>();
    this.#waiting.set(id, waiting);
    this.#send({ id, name });
    const value = await within({ timeMs: ANSWER_MS_MAX }, waiting.promise);
    this.#waiting.delete(id);
    return value ?? { problem: "was not read in time" };
  }

  answered({ id, value, problem }: GiveCredentialRequest): void {
    this.#waiting.get(id)?.resolve(problem === "" ? { value } : { problem });
  }
}
