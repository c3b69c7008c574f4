// Reads and writes files of this machine for tools, only inside the folders that a person has allowed.
import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { type ErrorData, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { safeFileName } from "../../proto/text/file-name.ts";
import { FILE_BYTES_MAX, PART_BYTES } from "../../proto/wire/file-bounds.ts";

/** Where files may be read and written. */
export interface FileFence {
  /** The allowed folders. Undefined allows every file: a person or a program names the paths itself. */
  folders: readonly string[] | undefined;
  /** Relative paths begin here. */
  from: string;
}

/** A file that is open for reading. {@link OpenFile.parts} throws FILE_NOT_ALLOWED if it changes meanwhile. */
export interface OpenFile extends AsyncDisposable {
  name: string;
  size: number;
  parts(): AsyncGenerator<Buffer, void>;
}

type Problem = ErrorData["FILE_NOT_ALLOWED"]["problem"];

// A FIFO without a writer would hold up the opening.
const READING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a file for reading. Throws FILE_NOT_ALLOWED. */
export async function openInside(given: string, fence: FileFence): Promise<OpenFile> {
  const refuse = refusing(given, fence);
  const real = await realPath(locate(given, fence), refuse);
  if (!(await isInside(real, fence))) throw refuse("outside");
  // A device may do something when it is opened, so the kind is known before.
  const about = await looked(real, refuse);
  if (!about.isFile()) throw refuse(about.isDirectory() ? "folder" : "special");
  const handle = await opened(real, refuse);
  try {
    const { size, mtimeMs, ino, dev } = await handle.stat();
    // Between the two, a folder on the way may have become a link to another place.
    if (ino !== about.ino || dev !== about.dev || (await realPath(real, refuse)) !== real)
      throw refuse("changed");
    if (size > FILE_BYTES_MAX) throw refuse("too-large");
    return {
      name: path.basename(given) || path.basename(real),
      size,
      parts: () => partsOf(handle, { size, mtimeMs }, refuse),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A place for a file that is not there yet. */
export interface FilePlace {
  /** Makes the file, as its user may read it. `suggested`: its name if the path is a folder's. Returns the path as given. */
  write(parts: AsyncIterable<Uint8Array>, suggested: string): Promise<string>;
}

/** Checks that a file may be written. Throws FILE_NOT_ALLOWED, also if there is one already. */
export async function placeInside(given: string, fence: FileFence): Promise<FilePlace> {
  const refuse = refusing(given, fence);
  const wanted = locate(given, fence);
  const folder = await folderOf(given, wanted, refuse);
  if (!(await isInside(folder, fence))) throw refuse("outside");
  const isFolder = folder === (await realPathOf(wanted));
  const target = (suggested: string) =>
    path.join(folder, isFolder ? safeFileName(suggested) : path.basename(wanted));
  if (!isFolder && (await exists(target("")))) throw refuse("exists");
  return {
    async write(parts, suggested) {
      const file = isFolder ? await freeName(folder, safeFileName(suggested)) : target(suggested);
      if ((await realPathOf(folder)) !== folder) throw refuse("changed");
      await writeNew(file, parts, refuse);
      return isFolder ? path.join(given, path.basename(file)) : given;
    },
  };
}

/** Returns the real paths of the allowed folders. One that is not there allows nothing. */
async function realFolders({ folders = [] }: FileFence): Promise<string[]> {
  const real = await Promise.all(folders.map(realPathOf));
  return real.filter((each) => each !== undefined);
}

async function isInside(real: string, fence: FileFence): Promise<boolean> {
  if (fence.folders === undefined) return true;
  return (await realFolders(fence)).some((folder) => {
    const way = path.relative(folder, real);
    return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
  });
}

function locate(given: string, { from, folders }: FileFence): string {
  // With one allowed folder, a relative path means a file in it.
  const [only, ...others] = folders ?? [];
  return path.resolve(only !== undefined && others.length === 0 ? only : from, given);
}

function refusing(
  given: string,
  { folders = [] }: FileFence,
): (problem: Problem, cause?: unknown) => TroupeError {
  return (problem, cause) =>
    fail(
      "FILE_NOT_ALLOWED",
      {
        path: given,
        allowed: [...folders],
        problem,
        ...(problem === "too-large" && { bytesMax: FILE_BYTES_MAX }),
      },
      cause,
    );
}

const PROBLEM_OF: Readonly<Record<string, Problem>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  EEXIST: "exists",
  EISDIR: "folder",
};

function problemOf(error: unknown, otherwise: Problem): Problem {
  return PROBLEM_OF[(error as NodeJS.ErrnoException).code ?? ""] ?? otherwise;
}

async function realPath(file: string, refuse: ReturnType<typeof refusing>): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    throw refuse(problemOf(error, "unreadable"), error);
  }
}

/** Returns undefined for a path that leads nowhere. */
async function realPathOf(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch {
    return undefined;
  }
}

async function looked(real: string, refuse: ReturnType<typeof refusing>) {
  try {
    return await stat(real);
  } catch (error) {
    throw refuse(problemOf(error, "unreadable"), error);
  }
}

async function opened(real: string, refuse: ReturnType<typeof refusing>): Promise<FileHandle> {
  try {
    return await open(real, READING);
  } catch (error) {
    throw refuse(problemOf(error, "unreadable"), error);
  }
}

async function* partsOf(
  handle: FileHandle,
  before: { size: number; mtimeMs: number },
  refuse: ReturnType<typeof refusing>,
): AsyncGenerator<Buffer, void> {
  let read = 0;
  while (read <= before.size) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PART_BYTES), 0, PART_BYTES, read);
    if (bytesRead === 0) break;
    read += bytesRead;
    if (read > before.size) throw refuse("changed");
    yield buffer.subarray(0, bytesRead);
  }
  const after = await handle.stat();
  if (read !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
    throw refuse("changed");
}

/** Returns the real path of the folder that holds the file, or of the folder itself. */
async function folderOf(given: string, wanted: string, refuse: ReturnType<typeof refusing>): Promise<string> {
  const real = await realPathOf(wanted);
  if (real !== undefined && (await looked(real, refuse)).isDirectory()) return real;
  if (/[/\\]$/.test(given)) throw refuse("missing");
  return await realPath(path.dirname(wanted), refuse);
}

async function exists(file: string): Promise<boolean> {
  return (await realPathOf(file)) !== undefined;
}

const NAMES_TRIED_MAX = 1000;

/** Returns `name`, or `name (2)` and so on: a file that is there stays as it is. */
async function freeName(folder: string, name: string): Promise<string> {
  const { name: stem, ext } = path.parse(name);
  for (let count = 1; count <= NAMES_TRIED_MAX; count++) {
    const file = path.join(folder, count === 1 ? name : `${stem} (${count})${ext}`);
    if (!(await exists(file))) return file;
  }
  return path.join(folder, `${stem} ${crypto.randomUUID()}${ext}`);
}

/** A file that cannot be written whole is removed. */
async function writeNew(
  file: string,
  parts: AsyncIterable<Uint8Array>,
  refuse: ReturnType<typeof refusing>,
): Promise<void> {
  let handle: FileHandle;
  try {
    // A link is not followed, even if it leads nowhere yet.
    handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
  } catch (error) {
    throw refuse(problemOf(error, "unwritable"), error);
  }
  try {
    for await (const part of parts) await handle.writeFile(part);
  } catch (error) {
    await unlink(file);
    const isOfDisk = typeof (error as NodeJS.ErrnoException).syscall === "string";
    throw isOfDisk ? refuse("unwritable", error) : error;
  } finally {
    await handle.close();
  }
}
