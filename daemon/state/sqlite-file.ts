// An SQLite file of the state folder: opened, brought to this version's tables, and set aside where it cannot be read.
import { existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** A kind of file. */
export interface SqliteKind {
  /** What is in it, for messages: "the journal". */
  what: string;
  /** Which tables there are; a file of a later number is left to the version that made it. */
  version: number;
  /** SQL that makes them. */
  tables: string;
  /** A question that a file whose pages are broken does not answer. */
  probe: string;
}

/** An open file; `setAside`: why the file that was there is another one's now. */
export interface OpenSqlite {
  database: DatabaseSync;
  setAside: string | undefined;
}

/**
 * Opens the file. One that is damaged, or of a later version, is renamed and begun anew; the one of this version that an
 * earlier version has set aside is taken back, and what that version wrote is set aside in turn. Throws where none can
 * be made.
 */
export function openSqliteFile(file: string, kind: SqliteKind): OpenSqlite {
  const takenBack = takeBack(file, kind);
  try {
    return { database: open(file, kind), setAside: takenBack };
  } catch (error) {
    const fate = fateOf(error, kind);
    if (!fate) throw error;
    const aside = `${file}.${fate.suffix}`;
    moveAside(file, aside);
    return { database: open(file, kind), setAside: `${fate.why}; it was moved to ${aside}` };
  }
}

/** The one number that a statement answers. */
export function numberOf(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
}

class LaterVersion extends Error {
  readonly version: number;
  constructor(version: number) {
    super(`the file has version ${version}`);
    this.version = version;
  }
}

/** Where an earlier version of us has set this version's file aside, it is in its place again. */
function takeBack(file: string, { what, version }: SqliteKind): string | undefined {
  const aside = `${file}.v${version}`;
  if (file === ":memory:" || !existsSync(aside)) return undefined;
  const earlier = `${file}.earlier`;
  moveAside(file, earlier);
  moveAside(aside, file);
  return `${what} of this version was taken back; what an earlier version wrote was moved to ${earlier}`;
}

function open(file: string, { version: own, tables, probe }: SqliteKind): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 1_000 });
  try {
    // Pages are given back to the file system bit by bit; that must be said before the first table.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    const version = numberOf(database, "PRAGMA user_version");
    if (version > own) throw new LaterVersion(version);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${own}; COMMIT`);
    // A file whose pages are broken says so now, not in the middle of a call.
    database.prepare(probe).get();
    const check = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
    if (check !== "ok") throw new Error(`malformed: ${String(check)}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function fateOf(error: unknown, { what }: SqliteKind): { suffix: string; why: string } | undefined {
  if (error instanceof LaterVersion)
    return { suffix: `v${error.version}`, why: `${what} is of a later version (${error.version})` };
  // SQLite's words for SQLITE_CORRUPT and SQLITE_NOTADB.
  const isDamaged = error instanceof Error && /malformed|not a database|already exists/i.test(error.message);
  return isDamaged ? { suffix: "damaged", why: `${what} is damaged` } : undefined;
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
