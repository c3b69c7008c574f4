// The file of evidence: its tables, the indexes that reads need, and the bytes that each session holds in each role.
import type { DatabaseSync } from "node:sqlite";
import { inTransaction, numberOf, type OpenSqlite, type SqliteKind } from "../state/sqlite-file.ts";

export const EVIDENCE_FILE: SqliteKind = {
  what: "the file of evidence",
  version: 1,
  probe: "SELECT count(*) FROM evidence WHERE id < 2",
  isCheckedWhole: false,
  tables: `
    CREATE TABLE evidence (
      id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, session TEXT NOT NULL, role TEXT NOT NULL, call TEXT NOT NULL,
      part TEXT NOT NULL, key_id TEXT NOT NULL, data BLOB NOT NULL) STRICT;
    CREATE INDEX evidence_of_session ON evidence (session, call, id);
    CREATE INDEX evidence_in_time ON evidence (at_ms);
  `,
};

/** The client before the session's id. Its name has no slash. */
const clientIn = (session: string) => `substr(${session}, 1, instr(${session}, '/') - 1)`;
/** A part's row and its places in the indexes take so many bytes beside its data. */
const ROW_BYTES = 500;
const sizeIn = (data: string) => `length(${data}) + ${ROW_BYTES}`;

/** The condition on a row's role, with {@link rolesValue} as `:roles`. */
export const IN_ROLES = "(:roles = '' OR role IN (SELECT value FROM json_each(:roles)))";

/** Returns the value of `:roles`. Undefined means all roles. */
export function rolesValue(roles: readonly string[] | undefined): string {
  return roles ? JSON.stringify(roles) : "";
}

const INDEXES = `
  CREATE INDEX IF NOT EXISTS evidence_in_order ON evidence (session);
  CREATE INDEX IF NOT EXISTS evidence_in_role ON evidence (session, role);
  CREATE INDEX IF NOT EXISTS evidence_of_client ON evidence (${clientIn("session")}, role, at_ms);
`;
const HELD = `
  CREATE TABLE held (
    session TEXT NOT NULL, role TEXT NOT NULL, client TEXT NOT NULL, bytes INTEGER NOT NULL, newest_ms INTEGER NOT NULL,
    PRIMARY KEY (session, role)) STRICT, WITHOUT ROWID;
  CREATE INDEX held_by_client ON held (client, role, bytes);
  INSERT INTO held SELECT session, role, ${clientIn("session")}, sum(${sizeIn("data")}), max(at_ms)
    FROM evidence GROUP BY session, role;
  CREATE TRIGGER evidence_held AFTER INSERT ON evidence BEGIN
    INSERT INTO held VALUES (new.session, new.role, ${clientIn("new.session")}, ${sizeIn("new.data")}, new.at_ms)
      ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes, newest_ms = max(newest_ms, excluded.newest_ms);
  END;
  CREATE TRIGGER evidence_released AFTER DELETE ON evidence BEGIN
    UPDATE held SET bytes = bytes - (${sizeIn("old.data")}) WHERE session = old.session AND role = old.role;
    DELETE FROM held WHERE session = old.session AND role = old.role AND bytes <= 0;
  END;
`;

/** Makes what later versions of this program have added. Earlier ones ignore it, so it needs no new file version. */
export function prepared(opened: OpenSqlite): OpenSqlite {
  const { database } = opened;
  try {
    database.exec(INDEXES);
    const isThere = numberOf(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'evidence_released'");
    if (!isThere) inTransaction(database, () => database.exec(HELD));
  } catch (error) {
    database.close();
    throw error;
  }
  return opened;
}

/**
 * Deletes some of the oldest parts of the role that holds the most of the client that holds the most. So a client that
 * records much, in however many sessions, displaces its own evidence alone. Returns the number of parts.
 */
export function evict(database: DatabaseSync, most: number): number {
  const largest = database
    .prepare(
      `SELECT client, role FROM held
       WHERE client = (SELECT client FROM held GROUP BY client ORDER BY sum(bytes) DESC LIMIT 1)
       GROUP BY role ORDER BY sum(bytes) DESC LIMIT 1`,
    )
    .get();
  const [client, role] = [String(largest?.client ?? ""), String(largest?.role ?? "")];
  const some = `SELECT id FROM evidence WHERE ${clientIn("session")} = ? AND role = ? ORDER BY at_ms, id LIMIT ?`;
  const { changes } = database.prepare(`DELETE FROM evidence WHERE id IN (${some})`).run(client, role, most);
  // A share without evidence would be the largest forever.
  if (!changes) database.prepare("DELETE FROM held WHERE client = ? AND role = ?").run(client, role);
  return Number(changes);
}

/** Deletes some of the parts from before that time. Returns their number. */
export function dropOlder(database: DatabaseSync, beforeMs: number, most: number): number {
  const some = "SELECT id FROM evidence WHERE at_ms < ? ORDER BY at_ms, id LIMIT ?";
  return Number(database.prepare(`DELETE FROM evidence WHERE id IN (${some})`).run(beforeMs, most).changes);
}
