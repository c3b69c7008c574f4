/**
 * `npm run check`: all that can be said of the code without running it. One line for each step, the output of those
 * that fail, and last how many passed and failed. `npm run check -- STEP…` runs only the steps named.
 */
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";

interface Step {
  name: string;
  command: [program: string, ...args: string[]];
}

interface Outcome {
  passed: boolean;
  output: string;
  seconds: number;
}

const root = join(import.meta.dirname, "../..");
const stepTimeoutMs = 300_000;
const atOnce = 2;

/** The types that the other steps read. */
const generate: Step = { name: "generate", command: ["node", "proto/generate-types.ts"] };

// The longest come first, so that none of them is left running alone.
const steps: Step[] = [
  { name: "promises", command: ["eslint", "--max-warnings", "0", "."] },
  { name: "types", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "unused", command: ["knip", "--no-progress"] },
  { name: "bridge-types", command: ["tsc", "-p", "worker/bridge/tsconfig.json"] },
  {
    name: "rules",
    command: ["node", "--test", "test/rules/import-rules.test.ts", "test/rules/hygiene.test.ts"],
  },
  { name: "imports", command: ["node", "test/rules/check-imports.ts"] },
  { name: "style", command: ["biome", "check", "--error-on-warnings"] },
  { name: "hygiene", command: ["node", "test/rules/check-hygiene.ts"] },
  { name: "proto", command: ["buf", "lint"] },
];

process.exitCode = await main(process.argv.slice(2));

async function main(names: string[]): Promise<number> {
  const unknown = names.filter((name) => ![generate, ...steps].some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(", ")}; steps are ${steps.map(({ name }) => name).join(", ")}`);
    return 64;
  }
  const chosen = steps.filter(({ name }) => names.length === 0 || names.includes(name));
  const results = [await report(generate)];
  const waiting = [...chosen];
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await report(step));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const failed = results.filter((passed) => !passed).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

async function report(step: Step): Promise<boolean> {
  const { passed, output, seconds } = await run(step);
  console.log(`${passed ? "ok  " : "FAIL"} ${step.name.padEnd(14)} ${seconds.toFixed(1)} s`);
  if (!passed) console.log(output.trimEnd().replace(/^/gm, "     "));
  return passed;
}

async function run({ command: [program, ...args] }: Step): Promise<Outcome> {
  const startedMs = performance.now();
  const bin = join(root, "node_modules/.bin");
  const child = spawn(program === "node" ? process.execPath : join(bin, program), args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: stepTimeoutMs,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`did not start: ${error.message}`));
    child.once("close", (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`));
  });
  const [out, err, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const passed = end === "exit code 0";
  return { passed, output: `${out}${err}${end}`, seconds: (performance.now() - startedMs) / 1000 };
}
