import assert from "node:assert/strict";
import { test } from "node:test";
import { runSteps, type Step } from "./steps.ts";

const content: Step = { name: "content", command: ["node", "-e", "console.log('nothing to say')"] };
const broken: Step = {
  name: "broken",
  command: ["node", "-e", "console.log('what is wrong'); process.exit(2)"],
};

test("a step that passes prints one line, and a failed one also its output", async () => {
  const { count, lines } = await printed([content, broken]);
  assert.deepEqual(count, { passed: 1, failed: 1 });
  assert.match(lines, /^ok {3}content +\d+\.\d s$/m);
  assert.match(lines, /^FAIL broken +\d+\.\d s\n {5}what is wrong\n {5}exit code 2$/m);
  assert.doesNotMatch(lines, /nothing to say/);
});

test("a step that hangs is killed with its children, and fails", async () => {
  const hang = `require("node:child_process").spawnSync(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })`;
  const { count, lines } = await printed([{ name: "hangs", command: ["node", "-e", hang] }], 500);
  assert.deepEqual(count, { passed: 0, failed: 1 });
  assert.match(lines, /killed by SIGKILL/);
});

test("a step whose program is missing fails", async () => {
  const { count, lines } = await printed([{ name: "missing", command: ["no-such-program"] }]);
  assert.deepEqual(count, { passed: 0, failed: 1 });
  assert.match(lines, /did not start: .*ENOENT/);
});

async function printed(steps: Step[], timeoutMs?: number) {
  const lines: string[] = [];
  const count = await runSteps(steps, { atOnce: 2, timeoutMs, print: (line) => lines.push(line) });
  return { count, lines: lines.join("\n") };
}
