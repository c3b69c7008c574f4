// Writes the role's login file: whole or not at all, readable by its owner only, and through no link.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { LoginError } from "./login-error.ts";

/**
 * Checks before the login that the file can be written, and makes its folder. `shown`: the path as the configuration
 * writes it.
 */
export async function requireWritable(file: string, shown: string): Promise<void> {
  const folder = path.dirname(file);
  await refusing(shown, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
  });
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw cannotWrite(shown, error);
  });
  if (!found || found.isFile()) return;
  const what = found.isSymbolicLink()
    ? "a symbolic link"
    : found.isDirectory()
      ? "a folder"
      : "no plain file";
  throw new LoginError(
    "configuration",
    `${shown} is ${what}: let the role's auth name the file itself, as a login is written through nothing else`,
  );
}

/** Replaces the file with the login. Rejects with a LoginError, and then the file is unchanged. */
export async function saveLogin(file: string, shown: string, login: object): Promise<void> {
  const beside = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  await refusing(shown, async () => {
    try {
      await writeNew(beside, `${JSON.stringify(login)}\n`);
      // A link that was put there meanwhile is replaced, not followed.
      await rename(beside, file);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  });
}

async function writeNew(file: string, text: string): Promise<void> {
  await using handle = await open(file, "wx", 0o600);
  await handle.writeFile(text);
  await handle.sync();
}

async function refusing(shown: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw cannotWrite(shown, error as NodeJS.ErrnoException);
  }
}

function cannotWrite(shown: string, error: NodeJS.ErrnoException): LoginError {
  const why = WRITE_PROBLEMS[error.code ?? ""] ?? "the system says";
  return new LoginError("failed", `cannot write ${shown}: ${why} (${error.code ?? error.message})`, error);
}

const WRITE_PROBLEMS: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "nothing can be written there",
  ENOSPC: "there is no room left",
  ENOTDIR: "a part of its path is no folder",
  EEXIST: "a part of its path is no folder",
};
