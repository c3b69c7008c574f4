// The sessions in the state folder: their owners, and, encrypted, the state that another worker needs.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SessionRecord, StoragePart } from "../../proto/gen/troupe.ts";
import { decode, encode, messageType } from "../../proto/wire/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { KeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import { numberFrom, openSqliteFile, type SqliteKind } from "../state/sqlite-file.ts";
import type { Session, StoredSession } from "./session.ts";

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
  tabs: "SELECT session, name, key_id, data FROM parts WHERE role = ? AND name = ? AND session = ?",
  allTabs: "SELECT session, name, key_id, data FROM parts WHERE role = ? AND name = ?",
  pages: "PRAGMA page_count",
  freePages: "PRAGMA freelist_count",
  pageBytes: "PRAGMA page_size",
};

/** A session's last use is written at most this often. After a crash it may look that much older. */
const USED_EACH_MS = 10_000;
/** The shortest time between two log lines about a failed write, such as on a full disk. */
const SAID_EACH_MS = 60_000;
/** The part with a session's tabs. A worker's own parts have other names. */
const TABS = "tabs";
const RECORD = messageType("troupe.v1.SessionRecord");

/** Stores sessions. A record is in the file when its method returns. A failed write is logged, and fails no call. */
export class SessionStore implements Disposable {
  /** Warnings for the operator. */
  readonly warnings: string[] = [];
  /** The reason that the latest write failed, such as a full disk. */
  problem: string | undefined;
  readonly #database: DatabaseSync;
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #log: Log;
  /** By key, the last written state of a session. */
  readonly #written = new Map<string, { text: string; atMs: number }>();
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;
  #saidAtMs = Number.NEGATIVE_INFINITY;

  /** Opens the file. If that is impossible, adds to `warnings` and keeps the sessions in memory. */
  constructor(file: string, keys: KeyRing, clock: Clock, log: Log) {
    this.#keys = keys;
    this.#clock = clock;
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

  /** Stores a session that began, was used, or entered another role. */
  used({ key, id, client, name, currentRole, createdAtMs, usedAtMs, visits }: Session): void {
    const roles = rolesText(visits, name);
    const text = `${currentRole} ${roles}`;
    const written = this.#written.get(key);
    if (written?.text === text && usedAtMs < written.atMs + USED_EACH_MS) return;
    this.#written.set(key, { text, atMs: usedAtMs });
    this.#keep(() =>
      this.#statements.session.run(key, id, client, currentRole, createdAtMs, Math.round(usedAtMs), roles),
    );
  }

  /** Deletes a session that is over. */
  over(key: string): void {
    this.#written.delete(key);
    this.#keep(() => {
      this.#statements.endSession.run(key);
      this.#statements.endParts.run(key, "", "");
    });
  }

  /** Deletes the storage that the role's sessions share, if no session is left. */
  forgetShared(role: string): void {
    this.#keep(() => this.#statements.endShared.run(role));
  }

  /** Deletes the session's state in the role. */
  forget(role: string, key: string): void {
    this.#keep(() => this.#statements.endParts.run(key, role, role));
  }

  /** Returns the tabs of all sessions, or of one. */
  tabsOf(role: string, key?: string): SessionRecord[] {
    const { allTabs, tabs } = this.#statements;
    const rows = key === undefined ? allTabs.all(role, TABS) : tabs.all(role, TABS, key);
    return rows.flatMap((row) => {
      const { data } = this.#opened(role, String(row.session), row) ?? {};
      return data ? [decode<SessionRecord>(RECORD, data)] : [];
    });
  }

  /**
   * Returns the address of a session's current tab. Returns undefined if it has none, shows an empty page, or the file
   * cannot be read.
   */
  addressOf(role: string, key: string): string | undefined {
    try {
      const [record] = this.tabsOf(role, key);
      const url = record?.tabs.find(({ current }) => current)?.url;
      return url && /^https?:/i.test(url) ? url : undefined;
    } catch (error) {
      // A session can end without its last address.
      this.#log.error({ err: error }, "a session's last address cannot be read");
      return undefined;
    }
  }

  /**
   * Stores changed parts of a session's storage; an empty part is deleted. Returns false if they could not be written.
   */
  keepParts(role: string, key: string, parts: readonly StoragePart[]): boolean {
    return this.#keep(() => {
      for (const { name, data } of parts) {
        if (data.length === 0) {
          this.#statements.noPart.run(key, role, name);
          continue;
        }
        const sealed = this.#keys.seal(data, aboutOf(role, key, name));
        this.#statements.part.run(key, role, name, sealed.keyId, sealed.data);
      }
    });
  }

  /** Returns the parts of a session's storage. `area`: the first word of their names; without it, all. */
  partsOf(role: string, key: string, area?: string): StoragePart[] {
    const rows = this.#statements.parts
      .all(role, key, TABS)
      .filter(({ name }) => area === undefined || String(name).startsWith(`${area} `));
    return rows.flatMap((row) => this.#opened(role, key, row) ?? []);
  }

  /** The stored data, in bytes of the file. */
  get bytes(): number {
    const { pages, freePages, pageBytes } = this.#statements;
    return (numberFrom(pages) - numberFrom(freePages)) * numberFrom(pageBytes);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #opened(role: string, key: string, row: Record<string, unknown>): StoragePart | undefined {
    const name = String(row.name);
    const sealed = { keyId: String(row.key_id), data: row.data as Uint8Array };
    const data = this.#keys.open(sealed, aboutOf(role, key, name));
    return data && { name, data };
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
      this.#database.exec("BEGIN IMMEDIATE");
      write();
      this.#database.exec("COMMIT");
      this.problem = undefined;
      return true;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      this.problem = (error as Error).message;
      this.#sayUnwritten(error);
      return false;
    }
  }

  #sayUnwritten(error: unknown): void {
    if (this.#clock.steady() - this.#saidAtMs < SAID_EACH_MS) return;
    this.#saidAtMs = this.#clock.steady();
    this.#log.error({ err: error }, "sessions cannot be written: what happens now is not kept");
  }

  #warn(text: string): void {
    this.warnings.push(text);
    this.#log.warn(text);
  }
}

/** Returns the part with a session's tabs, beside the parts that its worker names. */
export function tabsPart(record: SessionRecord): StoragePart {
  return { name: TABS, data: encode(RECORD, record) };
}

/** A part opens only for its own session, role and name, so parts cannot be swapped between sessions. */
function aboutOf(role: string, key: string, name: string): string {
  return JSON.stringify([role, key, name]);
}

/** Writes a plain list if there is nothing else to say, as earlier versions do. They ignore the name. */
function rolesText(visits: Session["visits"], name: string | undefined): string {
  const roles = [...visits.keys()];
  const resting = roles.filter((role) => visits.get(role)?.state !== "AWAKE");
  return JSON.stringify(resting.length > 0 || name !== undefined ? { roles, resting, name } : roles);
}

function rolesIn(text: string): Pick<StoredSession, "roles" | "resting" | "name"> {
  const kept = JSON.parse(text);
  return Array.isArray(kept) ? { roles: kept, resting: [] } : kept;
}
