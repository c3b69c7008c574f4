// Runs a command that prints a secret: without a shell, within a time and a length.
import { spawn } from "node:child_process";
import { dyingWithUs } from "../core/dying-with-us.ts";

/** Some commands ask a person first. */
const RUN_MS_MAX = 20_000;

export interface CommandSettings {
  words: readonly string[];
  /** The configuration's folder. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  bytesMax: number;
  /** Default: 20 seconds. */
  timeMs?: number;
}

/** Returns the output, or why there is none: `ended with exit code 1`. No word of its error output is repeated. */
export async function runCommand(settings: CommandSettings): Promise<{ text: string } | { problem: string }> {
  const { words, cwd, env, bytesMax, timeMs = RUN_MS_MAX } = settings;
  const [named = "", ...rest] = words;
  const [program, args] = dyingWithUs({ program: named, args: rest }, env);
  // It leads its own process group, so that all its children end with it.
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "ignore"], detached: true });
  const { promise, resolve } = Promise.withResolvers<{ text: string } | { problem: string }>();
  const parts: Buffer[] = [];
  let length = 0;
  const giveUp = (problem: string) => {
    resolve({ problem });
    endGroup(child.pid);
  };
  const timer = setTimeout(() => giveUp(`did not end within ${timeMs / 1000} s`), timeMs);
  child.stdout.on("data", (part: Buffer) => {
    length += part.length;
    if (length > bytesMax) giveUp(`printed more than ${bytesMax} bytes`);
    else parts.push(part);
  });
  child.once("error", (error: NodeJS.ErrnoException) => giveUp(whyNot(error)));
  child.once("close", (code, signal) => {
    if (code === 0) resolve({ text: Buffer.concat(parts).toString() });
    else if (code === NOT_FOUND) resolve({ problem: "is not there" });
    else resolve({ problem: signal ? `was ended by ${signal}` : `ended with exit code ${code}` });
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** The exit code of setpriv and of shells for a program that does not exist. */
const NOT_FOUND = 127;

function whyNot({ code }: NodeJS.ErrnoException): string {
  return code === "ENOENT" ? "is not there" : `cannot be run (${code})`;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
