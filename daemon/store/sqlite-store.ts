// The store of sessions in the state folder, in an SQLite file. A record is in the file when its method returns.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SessionRecord, StoragePart } from "../../proto/gen/troupe.ts";
import type { Clock } from "../core/clock.ts";
import type { KeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import { onceAMinute } from "../core/once-a-minute.ts";
import type { Session, StoredSession } from "../sessions/session.ts";
import { inTransaction, numberFrom, openSqliteFile, type SqliteKind } from "../state/sqlite-file.ts";
import { openPart, rolesIn, rolesText, sealPart, TABS, tabsIn } from "./sealed-parts.ts";
import type { SessionStore } from "./session-store.ts";

const KIND: SqliteKind = {
  what: "the file of sessions",
  version: 1,
  probe: "SELECT count(*) FROM parts",
  isCheckedWhole: true,
  tables: `
    CREATE TABLE sessions (
      key TEXT PRIMARY KEY, id TEXT NOT NULL, client TEXT NOT NULL, current_role TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL, used_at_ms INTEGER NOT NULL, roles TEXT NOT NULL) STRICT;
    CREATE TABLE parts (
      session TEXT NOT NULL, role TEXT NOT NULL, name TEXT NOT NULL, key_id TEXT NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY (session, role, name)) STRICT, WITHOUT ROWID;
  `,
};

const STATEMENTS = {
  session: "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)",
  endSession: "DELETE FROM sessions WHERE key = ?",
  endParts: "DELETE FROM parts WHERE session = ? AND (? = '' OR role = ?)",
  endShared: `DELETE FROM parts WHERE session = '' AND role = ?1
    AND NOT EXISTS (SELECT 1 FROM parts WHERE session <> '' AND role = ?1)`,
  part: "INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?)",
  noPart: "DELETE FROM parts WHERE session = ? AND role = ? AND name = ?",
  parts: "SELECT name, key_id, data FROM parts WHERE role = ? AND session = ? AND name <> ?",
  tabs: "SELECT name, key_id, data FROM parts WHERE role = ? AND name = ? AND session = ?",
  pages: "PRAGMA page_count",
  freePages: "PRAGMA freelist_count",
  pageBytes: "PRAGMA page_size",
};

/** A session's last use is written at most this often. After a crash it may look that much older. */
const USED_EACH_MS = 10_000;
/** Stores sessions in a file. A failed write is logged, and fails no call. */
export class SqliteStore implements SessionStore {
  readonly warnings: string[] = [];
  problem: string | undefined;
  readonly #database: DatabaseSync;
  readonly #keys: KeyRing;
  readonly #sayUnwritten: (error: unknown) => void;
  readonly #log: Log;
  /** By key, the last written state of a session. */
  readonly #written = new Map<string, { text: string; atMs: number }>();
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;

  /** Opens the file. If that is impossible, adds to `warnings` and keeps the sessions in memory. */
  constructor(file: string, keys: KeyRing, clock: Clock, log: Log) {
    this.#keys = keys;
    this.#sayUnwritten = onceAMinute(clock, (error) =>
      log.error({ err: error }, "sessions cannot be written: what happens now is not kept"),
    );
    this.#log = log;
    const { database, setAside } = this.#openOrRemember(file);
    this.#database = database;
    if (setAside) this.#warn(setAside);
    const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared);
    this.#dropUnreadable();
  }

  /** Returns the sessions, oldest first. */
  sessions(): StoredSession[] {
    const rows = this.#database.prepare("SELECT * FROM sessions ORDER BY created_at_ms").all();
    return rows.map((row) => ({
      key: String(row.key),
      id: String(row.id),
      client: String(row.client),
      currentRole: String(row.current_role),
      createdAtMs: Number(row.created_at_ms),
      usedAtMs: Number(row.used_at_ms),
      ...rolesIn(String(row.roles)),
    }));
  }

  /** Deletes parts of sessions that no longer exist. A shared context's parts go when all its sessions are over. */
  tidy(): void {
    this.#keep(() =>
      this.#database.exec(`
        DELETE FROM parts WHERE session <> '' AND session NOT IN (SELECT key FROM sessions);
        DELETE FROM parts WHERE session = '' AND role NOT IN (SELECT role FROM parts WHERE session <> '')`),
    );
  }

  used(session: Session): void {
    const { key, id, client, currentRole, createdAtMs, usedAtMs } = session;
    const roles = rolesText(session);
    const text = `${currentRole} ${roles}`;
    const written = this.#written.get(key);
    if (written?.text === text && usedAtMs < written.atMs + USED_EACH_MS) return;
    this.#written.set(key, { text, atMs: usedAtMs });
    this.#keep(() =>
      this.#statements.session.run(key, id, client, currentRole, createdAtMs, Math.round(usedAtMs), roles),
    );
  }

  over(key: string): void {
    this.#written.delete(key);
    this.#keep(() => {
      this.#statements.endSession.run(key);
      this.#statements.endParts.run(key, "", "");
    });
  }

  forgetShared(role: string): void {
    this.#keep(() => this.#statements.endShared.run(role));
  }

  forget(role: string, key: string): void {
    this.#keep(() => this.#statements.endParts.run(key, role, role));
  }

  tabsOf(role: string, key: string): SessionRecord | undefined {
    try {
      const row = this.#statements.tabs.get(role, TABS, key);
      const part = row && this.#opened(role, key, row);
      return part && tabsIn(part.data);
    } catch (error) {
      // A session goes on, and ends, without its tabs.
      this.#log.error({ err: error }, "a session's tabs cannot be read");
      return undefined;
    }
  }

  keepParts(role: string, key: string, parts: readonly StoragePart[]): boolean {
    return this.#keep(() => {
      for (const { name, data } of parts) {
        if (data.length === 0) {
          this.#statements.noPart.run(key, role, name);
          continue;
        }
        const sealed = sealPart(this.#keys, role, key, { name, data });
        this.#statements.part.run(key, role, name, sealed.keyId, sealed.data);
      }
    });
  }

  async partsOf(role: string, key: string, area?: string): Promise<StoragePart[]> {
    const rows = this.#statements.parts
      .all(role, key, TABS)
      .filter(({ name }) => area === undefined || String(name).startsWith(`${area} `));
    return rows.flatMap((row) => this.#opened(role, key, row) ?? []);
  }

  async committed(): Promise<void> {}

  async deleted(): Promise<void> {}

  checkTakes(): void {}

  /** The bytes of the file that are in use. */
  get bytes(): number {
    const { pages, freePages, pageBytes } = this.#statements;
    return (numberFrom(pages) - numberFrom(freePages)) * numberFrom(pageBytes);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #opened(role: string, key: string, row: Record<string, unknown>): StoragePart | undefined {
    const sealed = { name: String(row.name), keyId: String(row.key_id), data: row.data as Uint8Array };
    return openPart(this.#keys, role, key, sealed);
  }

  /**
   * Deletes parts that no key opens. Parts of another key than the first are encrypted again, so that the operator can
   * remove that key.
   */
  #dropUnreadable(): void {
    const rows = this.#database
      .prepare("SELECT session, role, name, key_id, data FROM parts WHERE key_id <> ?")
      .all(this.#keys.writingId);
    let dropped = 0;
    for (const row of rows) {
      const [session, role, name] = [String(row.session), String(row.role), String(row.name)];
      const part = this.#opened(role, session, row);
      if (!part) dropped++;
      this.keepParts(role, session, [part ?? { name, data: Buffer.alloc(0) }]);
    }
    if (dropped > 0)
      this.#warn(
        `${dropped} parts of kept sessions were dropped: none of stateKeys opens them; these sessions begin from their roles' logins`,
      );
  }

  #openOrRemember(file: string) {
    try {
      return openSqliteFile(file, KIND);
    } catch (error) {
      this.#warn(`sessions cannot be kept (${(error as Error).message}): they end with the daemon`);
      return openSqliteFile(":memory:", KIND);
    }
  }

  /** Returns true if the write succeeded. */
  #keep(write: () => void): boolean {
    try {
      inTransaction(this.#database, write);
      this.problem = undefined;
      return true;
    } catch (error) {
      this.problem = (error as Error).message;
      this.#sayUnwritten(error);
      return false;
    }
  }

  #warn(text: string): void {
    this.warnings.push(text);
    this.#log.warn(text);
  }
}
