import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readNote } from "../../../client/connection/discovery.ts";
import { CLI } from "../../harness/mcp-process.ts";

const DEADLINE = { timeout: 30_000 };

test("troupe daemon becomes the daemon, with its process id, signals and exit code", DEADLINE, async () => {
  const dir = await mkdtemp(path.join(tmpdir(), "daemon-command-"));
  const child = spawn(process.execPath, [CLI, "daemon", "--state-dir", dir, "--http", "off"], { cwd: dir });
  try {
    child.stderr.resume();
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    assert.equal(readNote(path.join(dir, "daemon.json"))?.pid, child.pid);
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    assert.deepEqual(await exit, [0, null]);
  } finally {
    child.kill("SIGKILL");
    await rm(dir, { recursive: true, force: true });
  }
});

test("its flags and their help are the daemon's own", DEADLINE, () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [CLI, "daemon", ...args], { encoding: "utf8", timeout: 20_000 });
  const help = run("--help");
  assert.equal(help.status, 0);
  assert.match(help.stdout, /--listen[\s\S]*Examples:\n +troupe daemon/);
  const wrong = run("--lisen", "x");
  assert.equal(wrong.status, 64);
  assert.match(wrong.stderr, /--listen/);
});
