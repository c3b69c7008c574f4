// An SQLite file of the state folder: opened, brought to this version's tables, and set aside where it cannot be read.
import { existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";

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
  /**
   * Whether all of its pages are looked at before it is used, which takes seconds for a large file. Else its user sets it
   * aside when damage is met: {@link isDamage}, {@link setAside}.
   */
  isCheckedWhole: boolean;
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
    if (error instanceof LaterVersion) {
      const why = `${kind.what} is of a later version (${error.version})`;
      return beginAnew(file, kind, { suffix: `v${error.version}`, why });
    }
    if (isDamage(error)) return setAside(file, kind);
    throw error;
  }
}

/** Whether an error says that the file's pages are broken, or no pages at all. */
export function isDamage(error: unknown): boolean {
  // SQLite's words for SQLITE_CORRUPT and SQLITE_NOTADB.
  return error instanceof Error && /malformed|not a database|already exists/i.test(error.message);
}

/** Renames a damaged file, which nobody has open, and begins it anew. */
export function setAside(file: string, kind: SqliteKind): OpenSqlite {
  return beginAnew(file, kind, { suffix: "damaged", why: `${kind.what} is damaged` });
}

/** The one number that a statement answers. */
export function numberOf(database: DatabaseSync, sql: string): number {
  return numberFrom(database.prepare(sql));
}

/** The same for a statement that is prepared already. */
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

/** Where an earlier version of us has set this version's file aside, it is in its place again. */
function takeBack(file: string, { what, version }: SqliteKind): string | undefined {
  const aside = `${file}.v${version}`;
  if (file === ":memory:" || !existsSync(aside)) return undefined;
  const earlier = `${file}.earlier`;
  moveAside(file, earlier);
  moveAside(aside, file);
  return `${what} of this version was taken back; what an earlier version wrote was moved to ${earlier}`;
}

function open(file: string, { version: own, tables, probe, isCheckedWhole }: SqliteKind): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 1_000 });
  try {
    // Pages are given back to the file system bit by bit; that must be said before the first table.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    const version = numberOf(database, "PRAGMA user_version");
    if (version > own) throw new LaterVersion(version);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${own}; COMMIT`);
    // A file whose pages are broken says so now, not in the middle of a call.
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
