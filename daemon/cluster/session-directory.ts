// Finds sessions by what the database stores of them, wherever they are.
import { databaseAnswer } from "../store/database-errors.ts";
import type { DirectoryEntry, Ownership } from "../store/ownership.ts";

type Stored = Pick<Ownership, "unserved" | "named" | "beside" | "remove">;

/** The stored sessions of all daemons. Each question rejects with STORE_UNAVAILABLE. */
export class SessionDirectory {
  readonly #ownership: Stored;

  constructor(ownership: Stored) {
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

  /** Returns true if a session of this key is stored, or a named one beside it. */
  async has(key: string): Promise<boolean> {
    return (await this.named([key], "")).length > 0 || (await this.beside(key)).length > 0;
  }

  /** Deletes a session that no living daemon has. Returns false if one has it, or if there is none. */
  remove(key: string): Promise<boolean> {
    return databaseAnswer(this.#ownership.remove(key), { effect: "unknown" });
  }
}
