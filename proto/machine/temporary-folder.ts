// A folder for what need not last: where TMPDIR says, unless that cannot be used.
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Instead of what TMPDIR names (Filesystem Hierarchy Standard, 3.18 and 5.15). */
const OTHERS = ["/tmp", "/var/tmp"];
/** What makes a place unfit, whatever its path. */
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
  /** Where to try, best first. */
  places?: readonly string[];
  /** Whether another user is to reach what is in it: as root, Chrome runs as one. */
  isShared?: boolean;
}

/** No place takes one; its message names them. */
export class NoTemporaryFolder extends Error {
  override readonly name = "NoTemporaryFolder";
  /** What the operator does. */
  readonly mend =
    "Set TMPDIR to a folder with free space that every user may enter, and start the daemon again.";
}

/** Makes one; the name begins with `prefix`. Throws NoTemporaryFolder. */
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

/** Whether every folder on the way lets other users through. */
function othersEnter(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  const parent = path.dirname(folder);
  return isOpen && (parent === folder || othersEnter(parent));
}
