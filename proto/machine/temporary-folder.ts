// Makes a folder for temporary files: in TMPDIR, unless that cannot be used.
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Used instead of TMPDIR (Filesystem Hierarchy Standard, 3.18 and 5.15). */
const OTHERS = ["/tmp", "/var/tmp"];
/** Errors that make a place unfit, whatever its path. */
const UNFIT: ReadonlySet<unknown> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
]);

export interface TemporaryFolderOptions {
  /** The places to try, best first. */
  places?: readonly string[];
  /** Another user must reach the folder's content: as root, Chrome runs as such a user. */
  isShared?: boolean;
}

/** No place can hold a folder. The message names the places. */
export class NoTemporaryFolder extends Error {
  override readonly name = "NoTemporaryFolder";
  /** The operator's remedy. */
  readonly mend =
    "Set TMPDIR to a folder with free space that every user may enter, and start the daemon again.";
}

/** Makes a folder whose name begins with `prefix`. Throws NoTemporaryFolder. */
export function makeTemporaryFolder(
  prefix: string,
  { places = [tmpdir(), ...OTHERS], isShared = process.getuid?.() === 0 }: TemporaryFolderOptions = {},
): string {
  for (const place of places) {
    try {
      if (!isShared || othersEnter(place)) return mkdtempSync(path.join(place, prefix));
    } catch (error) {
      if (!UNFIT.has((error as NodeJS.ErrnoException).code)) throw error;
    }
  }
  throw new NoTemporaryFolder(`no temporary folder can be made in ${[...new Set(places)].join(", ")}`);
}

/** Returns true if every folder on the path lets other users through. */
function othersEnter(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  const parent = path.dirname(folder);
  return isOpen && (parent === folder || othersEnter(parent));
}
