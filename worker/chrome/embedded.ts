/**
 * Unpacks the Chromium of the package @sparticuz/chromium once, to a folder that no other user can write. The package's
 * own code is not used. It unpacks to a predictable place that another user may have made before. Its list of arguments
 * turns off the sandbox and web security.
 */
import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { BrowserNotFound } from "./browser-not-found.ts";

/** The unpacked browser: its program and its additional environment variables. */
export interface EmbeddedBrowser {
  executable: string;
  env: Record<string, string>;
}

/**
 * Returns the folder for the browser. Root's Chrome runs as an unprivileged user that must be able to read it. Root's
 * home and the state folder do not let that user in. For other users, the folder is private.
 */
export function embeddedFolder({ env, uid, version = packageVersion() }: EmbeddedPlace): string {
  if (uid === 0) return `/var/cache/troupe/chromium-${version}`;
  const cache = env.XDG_CACHE_HOME?.startsWith("/")
    ? env.XDG_CACHE_HOME
    : join(env.HOME ?? homedir(), ".cache");
  return join(cache, "troupe", `chromium-${version}`);
}

interface EmbeddedPlace {
  env: Readonly<Record<string, string | undefined>>;
  uid: number | undefined;
  version?: string;
}

/**
 * Unpacks into `folder` unless it is already there. Several processes may do so at once. Its parent must be, or become,
 * a folder that only this user can write. Rejects with `BrowserNotFound`.
 */
export async function unpackEmbedded(folder: string): Promise<EmbeddedBrowser> {
  const parent = dirname(folder);
  const mode = process.getuid?.() === 0 ? 0o755 : 0o700;
  try {
    await mkdir(dirname(parent), { recursive: true });
    await makeOwnFolder(parent, mode);
    if (!(await isOwnFolder(folder))) await unpack(folder, mode);
  } catch (error) {
    if (error instanceof BrowserNotFound) throw error;
    throw cannotUnpack(folder, error as NodeJS.ErrnoException);
  }
  return {
    executable: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

async function makeOwnFolder(path: string, mode: number): Promise<void> {
  await mkdir(path, { recursive: true, mode });
  await isOwnFolder(path);
  // The mode is set explicitly, because a umask may have removed bits that Chrome's user needs.
  if (((await lstat(path)).mode & 0o777) !== mode) await chmod(path, mode);
}

/** Returns false if nothing is there. Throws if other users could have made it or can change it. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!found) return false;
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true;
  throw new BrowserNotFound("cannot-unpack", {
    message: `${path} is not a folder of this user that only this user can write`,
    lookedFor: [path],
    mend: `Remove ${path} (what is in it can be made again), and try again.`,
  });
}

async function unpack(folder: string, mode: number): Promise<void> {
  const source = packageFolder();
  await removeAbandoned(folder);
  const temporary = await mkdtemp(`${folder}.${temporaryMark}`);
  try {
    await unbrotli(join(source, "bin/chromium.br"), join(temporary, "chromium"));
    for (const name of ["al2023", "fonts", "swiftshader"])
      await untar(join(source, `bin/${name}.tar.br`), temporary);
    await writeFile(join(temporary, "fonts.conf"), fontsConf(folder));
    await letAllRead(temporary, mode);
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another process was first, with the same content.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") await isOwnFolder(folder);
    else throw error;
  }
}

const temporaryMark = "unpacking-";

/** Removes what a process left that was killed while it unpacked. After an hour, no process still works on it. */
async function removeAbandoned(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.includes(`.${temporaryMark}`)) continue;
    const found = await lstat(join(parent, name));
    if (Date.now() - found.mtimeMs > 3_600_000)
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function untar(archive: string, folder: string): Promise<void> {
  // This takes a detour through a file. The program tar leaves a pipe at the archive's end, before all of it is
  // written.
  const plain = join(folder, "unpacking.tar");
  await unbrotli(archive, plain);
  await promisify(execFile)("tar", ["-x", "-f", plain, "-C", folder, "--no-same-owner"]);
  await rm(plain);
}

function unbrotli(from: string, to: string): Promise<void> {
  const decompress = createBrotliDecompress({ chunkSize: 1024 * 1024 });
  return pipeline(createReadStream(from), decompress, createWriteStream(to));
}

/** Lets every user read and no other user write, regardless of the umask and the archives. */
async function letAllRead(folder: string, mode: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await chmod(path, entry.isDirectory() || entry.name === "chromium" ? 0o755 : 0o644);
  }
  await chmod(folder, mode);
}

/**
 * Puts the machine's own fonts first. Without any font, Chromium lays out no text at all, and a page reads as empty.
 */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
}

function packageFolder(): string {
  try {
    // The package's package.json is not exported, so its folder is found through its entry, build/esm/index.js.
    return join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "../..");
  } catch (error) {
    throw new BrowserNotFound("package-missing", {
      message: `no Chrome or Chromium on this machine, and the package of the embedded one is not installed (${(error as Error).message})`,
      lookedFor: ["@sparticuz/chromium"],
      mend: "Run npm ci, or install Chromium (on Debian and Ubuntu: apt-get install chromium).",
    });
  }
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}

function cannotUnpack(folder: string, error: NodeJS.ErrnoException): BrowserNotFound {
  const mend: Record<string, string> = {
    ENOSPC: `Free 250 MB where ${dirname(folder)} is`,
    EROFS: `Make ${dirname(folder)} writable`,
    EACCES: `Let this user write ${dirname(folder)}`,
    EPERM: `Let this user write ${dirname(folder)}`,
  };
  return new BrowserNotFound("cannot-unpack", {
    message: `the embedded Chromium cannot be unpacked to ${folder} (${error.message})`,
    lookedFor: [folder],
    mend: `${mend[error.code ?? ""] ?? "Mend what it says"}, or install Chromium (on Debian and Ubuntu: apt-get install chromium), or name one in TROUPE_BROWSER.`,
  });
}
