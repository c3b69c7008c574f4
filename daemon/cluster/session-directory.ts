// Finds sessions by what the database stores of them, wherever they are.
import { databaseAnswer } from "../sessions/unavailable.ts";
import type { DirectoryEntry, Ownership } from "../store/ownership.ts";

/** The stored sessions of all daemons. Each question rejects with STORE_UNAVAILABLE. */
export class SessionDirectory {
  readonly #ownership: Pick<Ownership, "unserved" | "named" | "beside">;

  constructor(ownership: Pick<Ownership, "unserved" | "named" | "beside">) {
    this.#ownership = ownership;
  }

  /** Returns the sessions that no living daemon has, and those of the silent daemons, newest first. */
  unserved(silent: readonly string[]): Promise<DirectoryEntry[]> {
    return databaseAnswer(this.#ownership.unserved(silent));
  }

  /** Returns the sessions that have one of the keys or the id, the last used first. */
  named(keys: readonly string[], id: string): Promise<DirectoryEntry[]> {
    return databaseAnswer(this.#ownership.named(keys, id));
  }

  /** Returns the named sessions beside the session of this key. */
  beside(key: string): Promise<DirectoryEntry[]> {
    return databaseAnswer(this.#ownership.beside(key));
  }
}
