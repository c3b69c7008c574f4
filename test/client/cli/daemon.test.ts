import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { readNote } from "../../../client/connection/discovery.ts";
import { runCommand, startCommand } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 30_000 };

test("troupe daemon becomes the daemon, with its process id, signals and exit code", DEADLINE, async () => {
  using temp = tempDir();
  const { dir } = temp;
  await using command = startCommand(["daemon", "--state-dir", dir, "--http", "off"], { cwd: dir });
  await command.said(/./);
  assert.equal(readNote(path.join(dir, "daemon.json"))?.pid, command.child.pid);
  command.child.kill("SIGTERM");
  assert.equal((await command.ended).code, 0);
});

test("its flags and their help are the daemon's own", DEADLINE, async () => {
  const help = await runCommand(["daemon", "--help"]);
  assert.equal(help.code, 0);
  assert.match(help.out, /--listen[\s\S]*Examples:\n +troupe daemon/);
  const wrong = await runCommand(["daemon", "--lisen", "x"]);
  assert.equal(wrong.code, 64);
  assert.match(wrong.err, /--listen/);
});
