// Installs packages that only some tests need, such as an application's libraries, once beside them, in the versions of its package-lock.json.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { explainNpmFailure } from "../../deploy/setup-decisions.mjs";
import { withLock } from "../../deploy/setup-lock.mjs";

const INSTALL_MS_MAX = 15 * 60_000;

export function siteFolder(name: string): string {
  return join(import.meta.dirname, "site", name);
}

/** Installs the application's packages if they are missing. */
export async function installPackages(name: string, say: (text: string) => void): Promise<void> {
  await installIn(siteFolder(name), `the libraries of the application ${name}`, say);
}

/** Installs a folder's packages if they are missing. Runs no package's scripts. `what`: the packages in words. */
export async function installIn(folder: string, what: string, say: (text: string) => void): Promise<void> {
  if (isInstalled(folder)) return;
  await withLock(join(folder, ".setup.lock"), { say }, async () => {
    if (isInstalled(folder)) return;
    say(`installing ${what} (once) …`);
    await install(folder);
    writeFileSync(stampFile(folder), stamp(folder));
  });
}

function isInstalled(folder: string): boolean {
  if (!existsSync(join(folder, "package-lock.json"))) return true;
  return existsSync(stampFile(folder)) && readFileSync(stampFile(folder), "utf8") === stamp(folder);
}

const stampFile = (folder: string) => join(folder, "node_modules/.installed");

function stamp(folder: string): string {
  const lock = readFileSync(join(folder, "package-lock.json"));
  return `${createHash("sha256").update(lock).digest("hex")}\n`;
}

async function install(folder: string): Promise<void> {
  // It uses the npm that runs this, else the one on the PATH.
  const own = process.env.npm_execpath;
  const [program, ...before] = own?.endsWith(".js") ? [process.execPath, own] : ["npm"];
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--no-progress"];
  try {
    await promisify(execFile)(program as string, [...before, "ci", ...flags, "--loglevel=error"], {
      cwd: folder,
      timeout: INSTALL_MS_MAX,
    });
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(explainNpmFailure(`${message}\n${stdout}${stderr}`, folder).message, { cause: error });
  }
}
