// The journal's tables.
import { type OpenSqlite, openSqliteFile, type SqliteKind } from "../state/sqlite-file.ts";

const KIND: SqliteKind = {
  what: "the journal",
  version: 1,
  probe: "SELECT count(*) FROM failures",
  tables: `
    CREATE TABLE calls (
      id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, tool TEXT NOT NULL, role TEXT NOT NULL, session TEXT NOT NULL,
      outcome TEXT NOT NULL, duration_ms REAL NOT NULL, request_id TEXT NOT NULL) STRICT;
    CREATE INDEX calls_of_session ON calls (session, id);
    CREATE INDEX calls_in_time ON calls (at_ms);
    CREATE TABLE episodes (
      id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, type TEXT NOT NULL, role TEXT NOT NULL, outcome TEXT NOT NULL,
      calls INTEGER NOT NULL) STRICT;
    CREATE INDEX episodes_in_time ON episodes (at_ms);
    CREATE TABLE failures (role TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, log BLOB NOT NULL) STRICT;
  `,
};

/** The id that a client gave its session, and the client before it, as the journal is asked for them. */
export const SESSION_ID_SQL = "substr(session, instr(session, ' ') + 1)";
export const CLIENT_SQL = "substr(session, 1, instr(session, ' '))";

/** Earlier versions of us pass over them: they need no version of their own. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS calls_of_id ON calls (${SESSION_ID_SQL}, id);
  CREATE INDEX IF NOT EXISTS calls_of_client ON calls (${CLIENT_SQL}, id);
  CREATE INDEX IF NOT EXISTS calls_in_role ON calls (role, id);
`;

/** See {@link openSqliteFile}. */
export function openJournalFile(file: string): OpenSqlite {
  const opened = openSqliteFile(file, KIND);
  opened.database.exec(INDEXES);
  return opened;
}
