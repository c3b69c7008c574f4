// Asks the daemon to confirm that it keeps what was reported to it. Until then, it is lost if the worker dies.
import type { ConfirmKeptRequest, KeepAsked } from "../../proto/gen/troupe.ts";

export class Confirmations {
  readonly #send: (asked: KeepAsked) => void;
  readonly #waiting = new Map<string, () => void>();

  constructor(send: (asked: KeepAsked) => void) {
    this.#send = send;
  }

  /** Resolves when the daemon keeps all that was reported of the session. The caller has a deadline of its own. */
  async ask(key: string): Promise<void> {
    const id = crypto.randomUUID();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(id, resolve);
    this.#send({ id, key });
    await promise;
    this.#waiting.delete(id);
  }

  answered({ id }: ConfirmKeptRequest): void {
    this.#waiting.get(id)?.();
  }
}
