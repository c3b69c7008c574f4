/** Describes the machine of the figures, in words that name no particular machine. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import os from "node:os";
import { promisify } from "node:util";
import type { FoundBrowser } from "../../worker/chrome/find-browser.ts";

export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  browser: string;
  /** The mean number of processes that wanted a processor in the minute before the run. */
  loadBefore: number;
}

/** Call it before the run begins anything else. */
export async function describeMachine(browser: FoundBrowser): Promise<Machine> {
  const loadBefore = os.loadavg()[0] ?? 0;
  const cpus = os.cpus();
  return {
    processor: cpus[0]?.model.trim() || os.arch(),
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${await systemName()}, ${os.arch()}`,
    node: process.version,
    browser: await browserVersion(browser),
    loadBefore,
  };
}

async function systemName(): Promise<string> {
  if (os.platform() !== "linux") return `${os.type()} ${os.release()}`;
  try {
    const release = await readFile("/etc/os-release", "utf8");
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(release)?.[1] ?? "Linux";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "Linux";
    throw error;
  }
}

async function browserVersion({ executable, env, kind }: FoundBrowser): Promise<string> {
  const options = { env: { ...process.env, ...env }, timeout: 30_000 };
  const { stdout } = await promisify(execFile)(executable, ["--version"], options);
  const version = /[\d.]{5,}/.exec(stdout)?.[0] ?? "of unknown version";
  return `Chromium ${version}${kind === "headless-shell" ? " (headless shell)" : ""}`;
}
