// The sessions in the state folder: who has one, and, encrypted, what another worker needs to go on with it.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SessionRecord, StoragePart } from "../../proto/gen/troupe.ts";
import { decode, encode, messageType } from "../../proto/wire/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { KeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import { numberFrom, openSqliteFile, type SqliteKind } from "../state/sqlite-file.ts";
import type { Session, StoredSession } from "./sessions.ts";

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

/** When a session was used is written no more often: a crash may make it look so much older. */
const USED_EACH_MS = 10_000;
/** That nothing can be written (a full disk) is said no more often. */
const SAID_EACH_MS = 60_000;
/** The part that holds a session's tabs; a worker's own have other names. */
const TABS = "tabs";
const RECORD = messageType("troupe.v1.SessionRecord");

/** What keeps them. Each record is in the file when its method returns; what cannot be written is said, and fails no call. */
export class SessionStore implements Disposable {
  /** What an operator should know of it. */
  readonly warnings: string[] = [];
  readonly #database: DatabaseSync;
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #log: Log;
  /** By key, what was written of a session last. */
  readonly #written = new Map<string, { text: string; atMs: number }>();
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;
  #saidAtMs = Number.NEGATIVE_INFINITY;

  /** Opens the file. One that cannot be used at all is told in `warnings`; then sessions end with the daemon. */
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

  /** Oldest first. */
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

  /** What belongs to no session any more goes; sessions that share a context leave nothing once all of them are over. */
  tidy(): void {
    this.#keep(() =>
      this.#database.exec(`
        DELETE FROM parts WHERE session <> '' AND session NOT IN (SELECT key FROM sessions);
        DELETE FROM parts WHERE session = '' AND role NOT IN (SELECT role FROM parts WHERE session <> '')`),
    );
  }

  /** A session has begun, was used, or has to do with another role. */
  used({ key, id, client, currentRole, createdAtMs, usedAtMs, visits }: Session): void {
    const roles = rolesText(visits);
    const text = `${currentRole} ${roles}`;
    const written = this.#written.get(key);
    if (written?.text === text && usedAtMs < written.atMs + USED_EACH_MS) return;
    this.#written.set(key, { text, atMs: usedAtMs });
    this.#keep(() =>
      this.#statements.session.run(key, id, client, currentRole, createdAtMs, Math.round(usedAtMs), roles),
    );
  }

  /** A session is over. */
  over(key: string): void {
    this.#written.delete(key);
    this.#keep(() => {
      this.#statements.endSession.run(key);
      this.#statements.endParts.run(key, "", "");
    });
  }

  /** What the role's sessions share is gone, if none of them is left. */
  forgetShared(role: string): void {
    this.#keep(() => this.#statements.endShared.run(role));
  }

  /** A session has nothing in the role any more. */
  forget(role: string, key: string): void {
    this.#keep(() => this.#statements.endParts.run(key, role, role));
  }

  /** A session's tabs, as they are now. False where they could not be written. */
  keepTabs(role: string, record: SessionRecord): boolean {
    return this.keepParts(role, record.key, [{ name: TABS, data: encode(RECORD, record) }]);
  }

  /** The sessions' tabs, or those of one. */
  tabsOf(role: string, key?: string): SessionRecord[] {
    const { allTabs, tabs } = this.#statements;
    const rows = key === undefined ? allTabs.all(role, TABS) : tabs.all(role, TABS, key);
    return rows.flatMap((row) => {
      const { data } = this.#opened(role, String(row.session), row) ?? {};
      return data ? [decode<SessionRecord>(RECORD, data)] : [];
    });
  }

  /** The address of a session's current tab; undefined where it has none, shows an empty page, or the file cannot be read. */
  addressOf(role: string, key: string): string | undefined {
    try {
      const [record] = this.tabsOf(role, key);
      const url = record?.tabs.find(({ current }) => current)?.url;
      return url && /^https?:/i.test(url) ? url : undefined;
    } catch (error) {
      // A session ends also where its last address cannot be told.
      this.#log.error({ err: error }, "a session's last address cannot be read");
      return undefined;
    }
  }

  /** Parts of a session's storage that changed; an empty one is gone. False where they could not be written. */
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

  /** All parts of a session's storage. */
  partsOf(role: string, key: string): StoragePart[] {
    const rows = this.#statements.parts.all(role, key, TABS);
    return rows.flatMap((row) => this.#opened(role, key, row) ?? []);
  }

  /** What is kept, in bytes of the file. */
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

  /** What no key opens is of no use to anybody; what another key than the first has sealed is sealed anew, so that its key can go. */
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

  /** Whether it is written. */
  #keep(write: () => void): boolean {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      write();
      this.#database.exec("COMMIT");
      return true;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
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

/** A part opens only as what it was sealed as: nobody can give a session what is another's. */
function aboutOf(role: string, key: string, name: string): string {
  return JSON.stringify([role, key, name]);
}

/** A list where it rests in none of them, as earlier versions write it. */
function rolesText(visits: Session["visits"]): string {
  const roles = [...visits.keys()];
  const resting = roles.filter((role) => visits.get(role)?.rests);
  return JSON.stringify(resting.length > 0 ? { roles, resting } : roles);
}

function rolesIn(text: string): Pick<StoredSession, "roles" | "resting"> {
  const kept = JSON.parse(text);
  return Array.isArray(kept) ? { roles: kept, resting: [] } : kept;
}
