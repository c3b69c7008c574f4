import assert from "node:assert/strict";
import { test } from "node:test";
import { runCommand } from "../../../daemon/credentials/run-command.ts";

test("a command that does not end is killed at its deadline, although its child holds its output open", async () => {
  const script = `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    setInterval(() => {}, 1000)`;
  const ran = await runCommand({
    words: [process.execPath, "-e", script],
    cwd: "/",
    env: process.env,
    bytesMax: 1000,
    timeMs: 300,
  });
  assert.deepEqual(ran, { problem: "did not end within 0.3 s" });
});
