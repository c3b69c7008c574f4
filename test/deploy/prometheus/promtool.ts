// Prometheus' own judge of rules and metrics: the machine's, else Debian's, unpacked into a cache folder and not installed.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const FETCH_MS_MAX = 120_000;

/** Its path, or why there is none. */
export async function promtool(): Promise<{ path: string } | { missing: string }> {
  const found = [...(process.env.PATH ?? "").split(path.delimiter), cacheFolder()].map((folder) =>
    path.join(folder, "promtool"),
  );
  const here = found.find((file) => existsSync(file));
  if (here) return { path: here };
  try {
    return { path: await unpacked() };
  } catch (error) {
    const [reason = ""] = String((error as { stderr?: string }).stderr || error).split("\n");
    return { missing: `promtool is not here, and Debian's package prometheus cannot be fetched: ${reason}` };
  }
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME: given } = process.env;
  return path.join(given?.startsWith("/") ? given : path.join(homedir(), ".cache"), "troupe", "promtool");
}

async function unpacked(): Promise<string> {
  const folder = cacheFolder();
  await mkdir(folder, { recursive: true });
  const dir = await mkdtemp(path.join(folder, "fetch-"));
  try {
    await download(dir);
    const [archive = ""] = (await readdir(dir)).filter((name) => name.endsWith(".deb"));
    await run("dpkg-deb", ["-x", archive, "."], { cwd: dir, timeout: FETCH_MS_MAX });
    await rename(path.join(dir, "usr/bin/promtool"), path.join(folder, "promtool"));
  } finally {
    await rm(dir, { recursive: true });
  }
  return path.join(folder, "promtool");
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
