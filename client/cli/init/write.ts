// Writes what `troupe init` makes. A file that exists is replaced whole or not at all.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Merge } from "./merge.ts";

/** The result for one file. */
export interface Outcome {
  file: string;
  outcome: "written" | "changed" | "kept" | "problem";
  /** The reason, in words. */
  why?: string;
  /** The text for the person to put in by hand. */
  paste?: string;
}

/** A larger file is no configuration. */
const BYTES_MAX = 4 * 2 ** 20;

/**
 * Merges into a file. `merge` gets the file's text, or undefined if there is no file. A file of the folder `dir` must
 * really lie in it.
 */
export function writeMerged(file: string, dir: string, merge: (text: string | undefined) => Merge): Outcome {
  try {
    if (isIn(dir, file) && !isIn(realpathSync(dir), realPlaceOf(file)))
      throw new Error(`a link leads out of ${dir}`);
    const before = existsSync(file) ? textOf(file) : undefined;
    const merged = merge(before);
    if ("kept" in merged) return { file, outcome: "kept", why: merged.kept };
    if ("problem" in merged) return { file, outcome: "problem", why: merged.problem, paste: merged.paste };
    if (before === undefined) create(file, merged.text);
    else replace(file, merged.text);
    return { file, outcome: before === undefined ? "written" : "changed" };
  } catch (error) {
    return {
      file,
      outcome: "problem",
      why: `it cannot be written: ${reasonOf(error as NodeJS.ErrnoException)}`,
    };
  }
}

function reasonOf({ code = "", syscall, message }: NodeJS.ErrnoException): string {
  if (code === "EEXIST" && syscall === "mkdir") return WHY.ENOTDIR ?? code;
  return WHY[code] ?? (code || message);
}

const WHY: Record<string, string> = {
  EACCES: "this user may not",
  EPERM: "this user may not",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file stands where its folder should be",
  EISDIR: "a folder has its name",
  EEXIST: "another program has just made it",
};

function isIn(dir: string, file: string): boolean {
  return file.startsWith(path.join(dir, path.sep));
}

/** Returns the path after all links. A repository may hold links to anywhere. */
function realPlaceOf(file: string): string {
  return existsSync(file)
    ? realpathSync(file)
    : path.join(realPlaceOf(path.dirname(file)), path.basename(file));
}

function textOf(file: string): string {
  const stats = statSync(file);
  // A repository may hold a link to a device, whose content never ends.
  if (!stats.isFile() && !stats.isDirectory()) throw new Error("it is no file");
  if (stats.isFile() && stats.size > BYTES_MAX) throw new Error(`it has ${stats.size} bytes`);
  const bytes = readFileSync(file);
  if (!bytes.equals(Buffer.from(bytes.toString("utf8")))) throw new Error("it is not UTF-8");
  return bytes.toString("utf8");
}

function create(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: "wx" });
}

/** Keeps the file's mode, and follows a link to the file itself. */
function replace(file: string, text: string): void {
  const real = realpathSync(file);
  const fresh = `${real}.${process.pid}.new`;
  try {
    writeFileSync(fresh, text, { flag: "wx", mode: statSync(real).mode & 0o777 });
    renameSync(fresh, real);
  } finally {
    rmSync(fresh, { force: true });
  }
}
