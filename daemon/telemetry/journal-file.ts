// Opens the journal's file with its tables and prepared statements.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  isDamage,
  type OpenSqlite,
  openSqliteFile,
  type SqliteKind,
  setAside,
} from "../state/sqlite-file.ts";

export interface JournalFile {
  database: DatabaseSync;
  insertCall: StatementSync;
  insertEpisode: StatementSync;
  upsertFailures: StatementSync;
  insertApproval: StatementSync;
  /** The reason that an unusable file was set aside and replaced. */
  setAside: string | undefined;
}

const KIND: SqliteKind = {
  what: "the journal",
  version: 1,
  probe: "SELECT count(*) FROM failures",
  isCheckedWhole: false,
  tables: `
    CREATE TABLE calls (
      id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, tool TEXT NOT NULL, role TEXT NOT NULL, session TEXT NOT NULL,
      outcome TEXT NOT NULL, duration_ms REAL NOT NULL, request_id TEXT NOT NULL) STRICT;
    CREATE INDEX calls_in_time ON calls (at_ms);
    CREATE TABLE episodes (
      id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, type TEXT NOT NULL, role TEXT NOT NULL, outcome TEXT NOT NULL,
      calls INTEGER NOT NULL) STRICT;
    CREATE INDEX episodes_in_time ON episodes (at_ms);
    CREATE TABLE failures (role TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, log BLOB NOT NULL) STRICT;
  `,
};

/** SQL for the session's id as its client named it, and for the client's name before it. */
export const SESSION_ID_SQL = "substr(session, instr(session, ' ') + 1)";
export const CLIENT_SQL = "substr(session, 1, instr(session, ' '))";

/** Earlier versions of Troupe do with or without these, so they need no new file version. */
const ADAPT = `
  DROP INDEX IF EXISTS calls_of_session;
  CREATE TABLE IF NOT EXISTS approvals (
    id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, approval TEXT NOT NULL, role TEXT NOT NULL, session TEXT NOT NULL,
    what TEXT NOT NULL, outcome TEXT NOT NULL, decided_by TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS approvals_in_time ON approvals (at_ms);
  CREATE INDEX IF NOT EXISTS calls_of_id ON calls (${SESSION_ID_SQL}, id);
  CREATE INDEX IF NOT EXISTS calls_of_client ON calls (${CLIENT_SQL}, id);
  CREATE INDEX IF NOT EXISTS calls_in_role ON calls (role, id);
`;

/** Opens the file, see {@link openSqliteFile}. */
export function openJournalFile(file: string): JournalFile {
  const opened = openSqliteFile(file, KIND);
  try {
    return prepared(opened);
  } catch (error) {
    opened.database.close();
    if (!isDamage(error)) throw error;
    return openJournalAnew(file);
  }
}

/** Replaces a file that has turned out to be damaged and is closed. */
export function openJournalAnew(file: string): JournalFile {
  return prepared(setAside(file, KIND));
}

function prepared({ database, setAside }: OpenSqlite): JournalFile {
  database.exec(ADAPT);
  return {
    database,
    setAside,
    insertCall: database.prepare(
      "INSERT INTO calls (at_ms, tool, role, session, outcome, duration_ms, request_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ),
    insertEpisode: database.prepare(
      "INSERT INTO episodes (at_ms, type, role, outcome, calls) VALUES (?, ?, ?, ?, ?)",
    ),
    insertApproval: database.prepare(
      "INSERT INTO approvals (at_ms, approval, role, session, what, outcome, decided_by) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ),
    upsertFailures: database.prepare(
      "INSERT INTO failures (role, at_ms, log) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms, log = excluded.log",
    ),
  };
}
