// The state folder: private to this user, and locked by one daemon.
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { DaemonNote, StateFiles } from "../../proto/machine/locations.ts";
import { stateFolderProblem } from "../../proto/machine/socket-path.ts";
import { StartupError } from "../core/startup-error.ts";

/** A state folder that no other daemon uses while this object is open. */
export class StateDir implements Disposable {
  readonly files: StateFiles;
  readonly #lock: DatabaseSync;

  private constructor(files: StateFiles, lock: DatabaseSync) {
    this.files = files;
    this.#lock = lock;
  }

  /** Makes the folder if it is missing, and takes its lock. Throws a StartupError. */
  static open(files: StateFiles): StateDir {
    checkPath(files.dir);
    makePrivate(files.dir);
    return new StateDir(files, takeLock(files));
  }

  /** Writes the note from which clients learn that the daemon takes calls, and its addresses. */
  writeNote(note: DaemonNote): void {
    // The rename makes the write atomic: a reader finds a whole note or none.
    const fresh = `${this.files.note}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    renameSync(fresh, this.files.note);
  }

  removeNote(): void {
    rmSync(this.files.note, { force: true });
  }

  [Symbol.dispose](): void {
    this.removeNote();
    this.#lock.close();
  }
}

/** Returns the note of this state folder's daemon; undefined if there is none. */
export function readNote(file: string): DaemonNote | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as DaemonNote;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function checkPath(dir: string): void {
  const problem = stateFolderProblem(dir);
  if (problem)
    throw new StartupError(
      "configuration",
      `The state folder cannot be used: ${problem}\nChoose another with --state-dir or TROUPE_STATE_DIR`,
    );
}

function makePrivate(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const found = lstatSync(dir);
    const uid = process.getuid?.();
    const problem = !found.isDirectory()
      ? "is no folder"
      : uid !== undefined && found.uid !== uid
        ? "belongs to another user"
        : (found.mode & 0o077) !== 0
          ? `is open to others (mode ${(found.mode & 0o777).toString(8)}); run: chmod 700 ${dir}`
          : undefined;
    if (problem) throw new StartupError("configuration", `The state folder ${dir} ${problem}`);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      "configuration",
      `The state folder ${dir} cannot be used: ${code}\nChoose another with --state-dir or TROUPE_STATE_DIR`,
    );
  }
}

/** The operating system frees the lock when the process ends, in any way. */
function takeLock(files: StateFiles): DatabaseSync {
  const database = new DatabaseSync(files.lock, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (!/locked|busy/i.test(String(error))) {
      throw new StartupError(
        "unavailable",
        `The lock ${files.lock} cannot be used: ${(error as Error).message}`,
      );
    }
    const note = readNote(files.note);
    const who = note
      ? `process ${note.pid}, at ${note.addresses.join(" and ")}`
      : "it has not said yet which";
    throw new StartupError(
      "unavailable",
      `Another daemon uses the state folder ${files.dir} (${who})\nUse that one, end it with: troupe drain --state-dir ${files.dir}, or choose another folder with --state-dir`,
    );
  }
}
