/**
 * `npm run check` checks the code without running it. It prints one line for each step, the output of failed steps, and
 * last how many passed and failed. `npm run check -- STEP…` runs only the named steps.
 */
import { runSteps, type Step } from "./steps.ts";

/** Writes the types that the other steps read. */
const generate: Step = { name: "generate", command: ["node", "proto/generate-types.ts"] };

// The longest steps come first, so that none of them runs alone at the end.
const steps: Step[] = [
  { name: "promises", command: ["eslint", "--max-warnings", "0", "."] },
  {
    name: "types",
    command: ["tsc", "-p", "tsconfig.json", "--incremental", "--tsBuildInfoFile", ".cache/types.tsbuildinfo"],
  },
  { name: "unused", command: ["knip", "--no-progress"] },
  { name: "rules", command: ["node", "--test", "test/rules/*.test.ts"] },
  { name: "bridge-types", command: ["tsc", "-p", "worker/bridge/tsconfig.json"] },
  { name: "console-types", command: ["tsc", "-p", "daemon/console/page/tsconfig.json"] },
  { name: "takeover-types", command: ["tsc", "-p", "daemon/takeover/page/tsconfig.json"] },
  { name: "imports", command: ["node", "test/rules/check-imports.ts"] },
  { name: "proto", command: ["buf", "lint"] },
  { name: "style", command: ["biome", "check", "--error-on-warnings"] },
  { name: "documents", command: ["node", "test/rules/documents/main.ts", "--check"] },
  { name: "hygiene", command: ["node", "test/rules/check-hygiene.ts"] },
  { name: "shape", command: ["node", "test/rules/check-shape.ts"] },
];

process.exitCode = await main(process.argv.slice(2));

async function main(names: string[]): Promise<number> {
  const unknown = names.filter((name) => ![generate, ...steps].some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(
      `no such step: ${unknown.join(", ")}; there are ${steps.map(({ name }) => name).join(", ")}`,
    );
    return 64;
  }
  const chosen = steps.filter(({ name }) => names.length === 0 || names.includes(name));
  const first = await runSteps([generate], { atOnce: 1 });
  const then = await runSteps(chosen, { atOnce: 2 });
  const failed = first.failed + then.failed;
  console.log(`${first.passed + then.passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}
