// The successor of a killed daemon. A client starts it, with that daemon's configuration.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { readNote } from "../../../client/connection/discovery.ts";
import { McpProcess, textOf } from "../../harness/mcp/mcp-process.ts";
import { startCommand } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 60_000 };

test("a killed daemon's successor has its roles, whatever their source was", DEADLINE, async () => {
  using temp = tempDir();
  const { dir } = temp;
  const stateDir = path.join(dir, "state");
  const note = path.join(stateDir, "daemon.json");
  await writeFile(path.join(dir, "shop.yaml"), JSON.stringify({ http: "off", roles: { buyer: {} } }));
  await using daemon = startCommand(["daemon", "--state-dir", stateDir, "--role", "seller"], {
    cwd: dir,
    env: { TROUPE_CONFIG: "shop.yaml" },
  });
  try {
    await daemon.said(/./);
    await using shim = await McpProcess.start(["--state-dir", stateDir]);
    const before = textOf(await shim.call("list_current_roles"));
    assert.match(before, /buyer/);
    daemon.child.kill("SIGKILL");
    await daemon.exited;
    assert.equal(textOf(await shim.call("list_current_roles")), before);
    assert.notEqual(readNote(note)?.pid, daemon.child.pid);
  } finally {
    const successor = readNote(note)?.pid;
    if (successor !== undefined && successor !== daemon.child.pid) process.kill(successor, "SIGKILL");
  }
});
