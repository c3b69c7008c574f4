// The successor of a killed daemon. A client starts it, with that daemon's configuration.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readNote } from "../../../client/connection/discovery.ts";
import { CLI, McpProcess, textOf } from "../../harness/mcp-process.ts";

const DEADLINE = { timeout: 60_000 };

test("a killed daemon's successor has its roles, whatever their source was", DEADLINE, async () => {
  const dir = await mkdtemp(path.join(tmpdir(), "successor-"));
  const stateDir = path.join(dir, "state");
  const note = path.join(stateDir, "daemon.json");
  await writeFile(path.join(dir, "shop.yaml"), JSON.stringify({ http: "off", roles: { buyer: {} } }));
  const daemon = spawn(process.execPath, [CLI, "daemon", "--state-dir", stateDir, "--role", "seller"], {
    cwd: dir,
    env: { ...process.env, TROUPE_CONFIG: "shop.yaml" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    await Promise.race([once(daemon.stdout, "data"), once(daemon, "exit")]);
    await using shim = await McpProcess.start(["--state-dir", stateDir]);
    const before = textOf(await shim.call("list_current_roles"));
    assert.match(before, /buyer/);
    const gone = once(daemon, "exit");
    daemon.kill("SIGKILL");
    await gone;
    assert.equal(textOf(await shim.call("list_current_roles")), before);
    assert.notEqual(readNote(note)?.pid, daemon.pid);
  } finally {
    daemon.kill("SIGKILL");
    const successor = readNote(note)?.pid;
    if (successor !== undefined && successor !== daemon.pid) process.kill(successor, "SIGKILL");
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
});
