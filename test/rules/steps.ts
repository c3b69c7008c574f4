/** Runs programs side by side, a few at once, and prints one line for each with its result. */
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";

export interface Step {
  name: string;
  /** `node`, or a program of node_modules/.bin, run in the repository's root. Its exit code decides if it fails. */
  command: [program: string, ...args: string[]];
}

export interface StepOptions {
  atOnce: number;
  /** After this long a step is killed and fails. */
  timeoutMs?: number;
  print?: (text: string) => void;
}

const root = join(import.meta.dirname, "../..");
const bin = join(root, "node_modules/.bin");

export async function runSteps(
  steps: readonly Step[],
  { atOnce, timeoutMs = 300_000, print = console.log }: StepOptions,
): Promise<{ passed: number; failed: number }> {
  const waiting = [...steps];
  const count = { passed: 0, failed: 0 };
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { passed, output, seconds } = await run(step, timeoutMs);
      count[passed ? "passed" : "failed"]++;
      print(`${passed ? "ok  " : "FAIL"} ${step.name.padEnd(14)} ${seconds.toFixed(1)} s`);
      if (!passed) print(output.replace(/^(?=.)/gm, "     "));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return count;
}

async function run({ command: [program, ...args] }: Step, timeoutMs: number) {
  const startedMs = performance.now();
  const child = spawn(program === "node" ? process.execPath : join(bin, program), args, {
    cwd: root,
    // The programs' first lines name `node`, and the pinned one stands beside them.
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own ends with all that the program has started.
    detached: true,
  });
  const deadline = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), timeoutMs);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`did not start: ${error.message}`));
    child.once("close", (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`));
  });
  const [out, err, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  clearTimeout(deadline);
  const seconds = (performance.now() - startedMs) / 1000;
  return { passed: end === "exit code 0", output: `${out}${err}${end}`, seconds };
}
