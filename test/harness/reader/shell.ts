// Runs lines of a shell as a reader types them: `troupe`, `node` and `python3` are on the PATH, in a folder of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { tempDir } from "../temp-dir.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const LINES_MS_MAX = 120_000;

export interface Shell extends AsyncDisposable {
  /** The folder in which the lines run. */
  dir: string;
  env: NodeJS.ProcessEnv;
  /** Runs lines to their end and returns what they print. Rejects with their output if one of them fails. */
  run(lines: string): Promise<string>;
  /** Starts lines that do not end. Resolves when they print `words`. They end with the shell. */
  serve(lines: string, words: RegExp): Promise<void>;
}

/** Opens a shell in an empty folder. `env` is added to what every reader has. */
export function openShell(env: NodeJS.ProcessEnv = {}): Shell {
  const temp = tempDir();
  const [dir, bin, home] = ["here", "bin", "home"].map((name) => path.join(temp.dir, name));
  if (!dir || !bin || !home) throw new Error("a folder lacks its name");
  for (const each of [dir, bin, home]) mkdirSync(each);
  symlinkSync(path.join(ROOT, "node_modules"), path.join(temp.dir, "node_modules"));
  writeFileSync(path.join(temp.dir, "package.json"), JSON.stringify({ type: "module" }));
  const programs = { troupe: path.join(ROOT, "troupe"), node: process.execPath, python3: "/usr/bin/python3" };
  for (const [name, file] of Object.entries(programs)) symlinkSync(file, path.join(bin, name));
  const own = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    TROUPE_BROWSER: process.env.TROUPE_BROWSER,
    ...env,
  };
  const serving = new AsyncDisposableStack();
  serving.defer(() => temp[Symbol.dispose]());
  const start = (lines: string) =>
    // A process group of its own ends with all that the lines have started.
    spawn("bash", ["-euo", "pipefail", "-c", lines], { cwd: dir, env: own, detached: true, stdio: STDIO });
  return {
    dir,
    env: own,
    async run(lines) {
      const child = start(lines);
      const output = outputOf(child);
      const deadline = setTimeout(() => end(child, "SIGKILL"), LINES_MS_MAX);
      const [code, signal] = await once(child, "close");
      clearTimeout(deadline);
      if (code === 0) return output.out;
      throw new Error(`ended with ${code ?? signal}:\n${lines}\n${output.out}${output.err}`);
    },
    async serve(lines, words) {
      const child = start(lines);
      const output = outputOf(child);
      const closed = once(child, "close");
      serving.defer(async () => {
        end(child, "SIGTERM");
        await closed;
      });
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      child.stdout.on("data", () => words.test(output.out) && resolve());
      child.once("close", () => reject(new Error(`ended:\n${lines}\n${output.out}${output.err}`)));
      await promise;
    },
    [Symbol.asyncDispose]: () => serving.disposeAsync(),
  };
}

const STDIO: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];

function outputOf({ stdout, stderr }: ReturnType<typeof spawn>): { out: string; err: string } {
  const output = { out: "", err: "" };
  stdout?.on("data", (chunk: Buffer) => (output.out += chunk));
  stderr?.on("data", (chunk: Buffer) => (output.err += chunk));
  return output;
}

function end({ pid, exitCode, signalCode }: ReturnType<typeof spawn>, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}
