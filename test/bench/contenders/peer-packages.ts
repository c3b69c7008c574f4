/** Installs the packages that only the benchmark needs, pinned, in a folder of their own. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { realPages } from "../pages/real-pages.ts";
import { type ContenderId, reasonOf } from "../results/results.ts";

export const peerPackages: Record<Exclude<ContenderId, "troupe">, PinnedPackage> = {
  playwright: { name: "@playwright/mcp", version: "0.0.83" },
  "chrome-devtools": { name: "chrome-devtools-mcp", version: "1.11.0" },
  "agent-browser": { name: "agent-browser", version: "0.41.2" },
};

export interface PinnedPackage {
  name: string;
  version: string;
}

/** A package that could not be installed, and why. */
export interface Unavailable {
  name: string;
  reason: string;
}

/** All installed packages: the peers, and those that ship real pages. */
const pinnedPackages: PinnedPackage[] = [
  ...Object.values(peerPackages),
  ...realPages.map((page) => ({ name: page.package, version: page.version })),
];

/** Returns the folder, which later runs use again. */
export function packagesFolder(env: NodeJS.ProcessEnv): string {
  const cache = env.XDG_CACHE_HOME?.startsWith("/") ? env.XDG_CACHE_HOME : path.join(homedir(), ".cache");
  return path.join(cache, "troupe", "bench");
}

/** Installs packages that are missing in their version. Resolves to those that are still missing. */
export async function installPackages(
  folder: string,
  signal: AbortSignal,
  packages: readonly PinnedPackage[] = pinnedPackages,
): Promise<Unavailable[]> {
  await mkdir(folder, { recursive: true });
  // npm keeps its record of installed packages in it. A new file would make all of them superfluous.
  const manifest = path.join(folder, "package.json");
  if (!existsSync(manifest)) await writeFile(manifest, '{ "private": true }\n');
  const wanted = await missing(folder, packages);
  if (wanted.length === 0) return [];
  const together = await install(folder, wanted, signal);
  if (together === undefined) return [];
  // A package that cannot be installed does not keep the others out.
  const unavailable: Unavailable[] = [];
  for (const each of await missing(folder, wanted)) {
    const reason = await install(folder, [each], signal);
    if (reason !== undefined) unavailable.push({ name: each.name, reason });
  }
  return unavailable;
}

async function missing(folder: string, packages: readonly PinnedPackage[]): Promise<PinnedPackage[]> {
  const found = await Promise.all(packages.map(({ name }) => installedVersion(folder, name)));
  return packages.filter(({ version }, i) => found[i] !== version);
}

async function installedVersion(folder: string, name: string): Promise<string | undefined> {
  try {
    const text = await readFile(path.join(folder, "node_modules", name, "package.json"), "utf8");
    return (JSON.parse(text) as { version?: string }).version;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const INSTALL_MS_MAX = 10 * 60_000;

/** Undefined if all are installed, else the reason. */
async function install(
  folder: string,
  packages: readonly PinnedPackage[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const [program = "npm", ...before] = npm();
  const flags = ["--save-exact", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  // A missing network must show soon, because each package is tried.
  const tries = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
  const names = packages.map(({ name, version }) => `${name}@${version}`);
  try {
    await promisify(execFile)(
      program,
      [
        ...before,
        "install",
        "--prefix",
        folder,
        ...flags,
        ...tries,
        "--no-progress",
        "--loglevel=error",
        ...names,
      ],
      { cwd: folder, timeout: INSTALL_MS_MAX, signal },
    );
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    const { stderr, message } = error as Error & { stderr?: string };
    return reasonOf(stderr?.trim() || message);
  }
}

/** Returns the npm that runs this, else the one on the PATH. */
function npm(): string[] {
  const own = process.env.npm_execpath;
  return own?.endsWith(".js") ? [process.execPath, own] : ["npm"];
}
