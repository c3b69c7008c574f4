// Opens an SQLite file of the state folder with this version's tables, and sets an unreadable file aside.
import { existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";

export interface SqliteKind {
  /** The name of the content for messages, such as "the journal". */
  what: string;
  /** The version of the tables. A file with a later version is left to the program that made it. */
  version: number;
  tables: string;
  /** A query that fails on a file with broken pages. */
  probe: string;
  /**
   * True if all pages are checked before use, which takes seconds for a large file. Otherwise the file's user sets it
   * aside when it meets damage: {@link isDamage}, {@link setAside}.
   */
  isCheckedWhole: boolean;
}

/** An open file. `setAside` is the reason that an earlier file was set aside. */
export interface OpenSqlite {
  database: DatabaseSync;
  setAside: string | undefined;
}

/**
 * Opens the file. A damaged file, or one of a later version, is renamed and begun again. If an earlier version has set
 * this version's file aside, that file is taken back. The earlier version's file is then set aside. Throws if no file
 * can be made.
 */
export function openSqliteFile(file: string, kind: SqliteKind): OpenSqlite {
  const takenBack = takeBack(file, kind);
  try {
    return { database: open(file, kind), setAside: takenBack };
  } catch (error) {
    if (error instanceof LaterVersion) {
      const why = `${kind.what} is of a later version (${error.version})`;
      return beginAnew(file, kind, { suffix: `v${error.version}`, why });
    }
    if (isDamage(error)) return setAside(file, kind);
    throw error;
  }
}

/** Returns true if the error means that the file's pages are broken or that it is no database. */
export function isDamage(error: unknown): boolean {
  // These are SQLite's texts for SQLITE_CORRUPT and SQLITE_NOTADB.
  return error instanceof Error && /malformed|not a database|already exists/i.test(error.message);
}

/** Renames a damaged file and begins it again. The file must be closed. */
export function setAside(file: string, kind: SqliteKind): OpenSqlite {
  return beginAnew(file, kind, { suffix: "damaged", why: `${kind.what} is damaged` });
}

/** Returns the single number of a statement's result. */
export function numberOf(database: DatabaseSync, sql: string): number {
  return numberFrom(database.prepare(sql));
}

/** Returns the same for a prepared statement. */
export function numberFrom(statement: StatementSync): number {
  return Number(Object.values(statement.get() ?? {})[0] ?? 0);
}

class LaterVersion extends Error {
  readonly version: number;
  constructor(version: number) {
    super(`the file has version ${version}`);
    this.version = version;
  }
}

/** Takes back a file of this version that an earlier version has set aside. */
function takeBack(file: string, { what, version }: SqliteKind): string | undefined {
  const aside = `${file}.v${version}`;
  if (file === ":memory:" || !existsSync(aside)) return undefined;
  const earlier = `${file}.earlier`;
  moveAside(file, earlier);
  moveAside(aside, file);
  return `${what} of this version was taken back; what an earlier version wrote was moved to ${earlier}`;
}

function open(file: string, { version: own, tables, probe, isCheckedWhole }: SqliteKind): DatabaseSync {
  // A new file has nothing to lose yet. SQLite would wait for the disk ten times while it makes the file.
  const isNew = !existsSync(file);
  const database = new DatabaseSync(file, { timeout: 1_000 });
  try {
    if (isNew) database.exec("PRAGMA synchronous = OFF");
    // SQLite returns pages to the file system step by step. That must be set before the first table.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
    const version = numberOf(database, "PRAGMA user_version");
    if (version > own) throw new LaterVersion(version);
    if (version === 0) inTransaction(database, () => database.exec(`${tables} PRAGMA user_version = ${own}`));
    database.exec("PRAGMA synchronous = NORMAL");
    // The probe finds broken pages now, not in the middle of a call.
    database.prepare(probe).get();
    if (isCheckedWhole) checkWhole(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkWhole(database: DatabaseSync): void {
  const check = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
  if (check !== "ok") throw new Error(`malformed: ${String(check)}`);
}

function beginAnew(file: string, kind: SqliteKind, fate: { suffix: string; why: string }): OpenSqlite {
  const aside = `${file}.${fate.suffix}`;
  moveAside(file, aside);
  return { database: open(file, kind), setAside: `${fate.why}; it was moved to ${aside}` };
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

/** Does the work in one transaction. If it throws, nothing of it is written. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  try {
    database.exec("BEGIN IMMEDIATE");
    work();
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
