import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { temporaryHome } from "./home.ts";

const onLinux = { skip: process.platform !== "linux" && "processes are found through /proc" };

test("processes that a server left behind end with its folder, and no others do", onLinux, async () => {
  const home = await temporaryHome();
  const left = spawn("sleep", ["60"], { env: { HOME: home.dir }, detached: true });
  const other = spawn("sleep", ["60"], { env: { HOME: "/" } });
  await Promise.all([once(left, "spawn"), once(other, "spawn")]);
  const ended = once(left, "exit");
  await home[Symbol.asyncDispose]();
  assert.deepEqual(await ended, [null, "SIGKILL"]);
  assert.equal(existsSync(home.dir), false);
  assert.equal(other.exitCode ?? other.signalCode, null);
  other.kill();
});
