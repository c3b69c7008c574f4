// The journal's SQLite file: opened, brought to this version's tables, and set aside where it cannot be read.
import { renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Which tables there are; a file of a later number is left to the version that made it. */
const SCHEMA_VERSION = 1;

const TABLES = `
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
`;

/** An open journal; `setAside`: why the file that was there is another one's now. */
export interface OpenJournal {
  database: DatabaseSync;
  setAside: string | undefined;
}

/** Opens the file. One that is damaged, or of a later version, is renamed and begun anew. Throws where none can be made. */
export function openJournalFile(file: string): OpenJournal {
  try {
    return { database: open(file), setAside: undefined };
  } catch (error) {
    const fate = fateOf(error);
    if (!fate) throw error;
    const aside = `${file}.${fate.suffix}`;
    moveAside(file, aside);
    return { database: open(file), setAside: `${fate.why}; it was moved to ${aside}` };
  }
}

class LaterVersion extends Error {
  readonly version: number;
  constructor(version: number) {
    super(`the journal has version ${version}`);
    this.version = version;
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 1_000 });
  try {
    // Pages are given back to the file system bit by bit; that must be said before the first table.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    const version = numberOf(database, "PRAGMA user_version");
    if (version > SCHEMA_VERSION) throw new LaterVersion(version);
    if (version === 0)
      database.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
    // A file whose pages are broken says so now, not in the middle of a call.
    database.prepare("SELECT count(*) FROM failures").get();
    const check = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
    if (check !== "ok") throw new Error(`malformed: ${String(check)}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The one number that a statement answers. */
export function numberOf(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
}

function fateOf(error: unknown): { suffix: string; why: string } | undefined {
  if (error instanceof LaterVersion)
    return { suffix: `v${error.version}`, why: `the journal is of a later version (${error.version})` };
  // SQLite's words for SQLITE_CORRUPT and SQLITE_NOTADB.
  const isDamaged = error instanceof Error && /malformed|not a database|already exists/i.test(error.message);
  return isDamaged ? { suffix: "damaged", why: "the journal is damaged" } : undefined;
}

function moveAside(file: string, aside: string): void {
  for (const part of ["", "-wal", "-shm"]) {
    rmSync(aside + part, { force: true });
    try {
      renameSync(file + part, aside + part);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}
