// The programs of Prometheus: the machine's, else Debian's, unpacked into a cache folder and not installed.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const FETCH_MS_MAX = 120_000;

const PROGRAMS = ["promtool", "prometheus"] as const;
type ProgramName = (typeof PROGRAMS)[number];

/** Its path, or why there is none. */
export type Found = { path: string; missing?: undefined } | { path?: undefined; missing: string };

export async function prometheusProgram(name: ProgramName): Promise<Found> {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), cacheFolder()];
  const here = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  if (here) return { path: here };
  try {
    await unpack();
    return { path: path.join(cacheFolder(), name) };
  } catch (error) {
    const [reason = ""] = String((error as { stderr?: string }).stderr || error).split("\n");
    return { missing: `${name} is not here, and Debian's package prometheus cannot be fetched: ${reason}` };
  }
}

/** Returns the path. Throws an error that says why there is none. */
export function pathOf({ path, missing }: Found): string {
  if (path === undefined) throw new Error(missing);
  return path;
}

/** Returns why a test that needs the program is skipped. Where all is to be held to everything, nothing is left out. */
export function skipWithout({ missing }: Found): string | false {
  return process.env.CI ? false : (missing ?? false);
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME: given } = process.env;
  return path.join(given?.startsWith("/") ? given : path.join(homedir(), ".cache"), "troupe", "prometheus");
}

async function unpack(): Promise<void> {
  const folder = cacheFolder();
  await mkdir(folder, { recursive: true });
  const dir = await mkdtemp(path.join(folder, "fetch-"));
  try {
    await download(dir);
    const [archive = ""] = (await readdir(dir)).filter((name) => name.endsWith(".deb"));
    await run("dpkg-deb", ["-x", archive, "."], { cwd: dir, timeout: FETCH_MS_MAX });
    for (const name of PROGRAMS) await rename(path.join(dir, "usr/bin", name), path.join(folder, name));
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** A fresh machine has no lists of packages yet, which only root can fetch. */
async function download(cwd: string): Promise<void> {
  const options = { cwd, timeout: FETCH_MS_MAX };
  const fetch = () => run("apt-get", ["download", "-qq", "prometheus"], options);
  await fetch().catch(async (error: unknown) => {
    if (process.getuid?.() !== 0) throw error;
    await run("apt-get", ["update", "-qq"], options);
    await fetch();
  });
}
