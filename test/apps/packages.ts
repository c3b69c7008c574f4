// The libraries that the applications are made of, installed once into a folder of their own.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { explainNpmFailure } from "../../deploy/setup-decisions.mjs";
import { withLock } from "../../deploy/setup-lock.mjs";

export const siteFolder = join(import.meta.dirname, "site");

const INSTALL_MS_MAX = 15 * 60_000;
const stampFile = join(siteFolder, "node_modules/.installed");

/** Installs what package-lock.json names, unless it is there. No package's scripts are run. */
export async function installPackages(say: (text: string) => void): Promise<void> {
  if (isInstalled()) return;
  await withLock(join(siteFolder, ".setup.lock"), { say }, async () => {
    if (isInstalled()) return;
    say("installing the libraries of the real applications (once; about a minute) …");
    await install();
    writeFileSync(stampFile, stamp());
  });
}

function isInstalled(): boolean {
  try {
    return readFileSync(stampFile, "utf8") === stamp();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

function stamp(): string {
  const lock = readFileSync(join(siteFolder, "package-lock.json"));
  return `${createHash("sha256").update(lock).digest("hex")}\n`;
}

async function install(): Promise<void> {
  // The npm that runs this, else the one on the PATH.
  const own = process.env.npm_execpath;
  const [program, ...before] = own?.endsWith(".js") ? [process.execPath, own] : ["npm"];
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
  try {
    await promisify(execFile)(program as string, [...before, "ci", ...flags], {
      cwd: siteFolder,
      timeout: INSTALL_MS_MAX,
    });
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(explainNpmFailure(`${message}\n${stdout}${stderr}`, siteFolder).message, {
      cause: error,
    });
  }
}
