import assert from "node:assert/strict";
import { once } from "node:events";
import { watch } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { readNote } from "../../../client/connection/discovery.ts";
import { startCommand } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 60_000 };

/** A link to a daemon that never answers. It records what it is asked. */
function linkTo({ isAbsent }: { isAbsent: boolean }) {
  const asked: string[] = [];
  const started = Promise.withResolvers<void>();
  const link = new DaemonLink({
    addresses: () => {
      asked.push("addresses");
      return [];
    },
    isAbsent: () => isAbsent,
    start: () => {
      asked.push("start");
      return started.promise;
    },
  });
  return { link, asked, started };
}

test("a daemon that certainly does not run is started ahead, once, and not looked for before", async () => {
  const { link, asked, started } = linkTo({ isAbsent: true });
  link.startAhead();
  link.startAhead();
  const connecting = link.connection();
  assert.deepEqual(asked, ["start"]);
  started.resolve();
  await assert.rejects(connecting, { type: "DAEMON_UNREACHABLE" });
  assert.equal(asked.indexOf("addresses"), 1, "the started daemon is looked for");
});

test("a start ahead that fails is reported by the next connection, and the one after starts anew", async () => {
  const { link, asked, started } = linkTo({ isAbsent: true });
  link.startAhead();
  started.reject(new Error("no room"));
  await assert.rejects(link.connection(), /no room/);
  assert.deepEqual(asked, ["start"]);
  await assert.rejects(link.connection(), /no room/);
  assert.deepEqual(asked, ["start", "start"]);
});

test("a daemon that may run is not started ahead", async () => {
  const { link, asked } = linkTo({ isAbsent: false });
  link.startAhead();
  assert.deepEqual(asked, []);
});

test("troupe mcp starts a daemon before its client says anything", DEADLINE, async () => {
  using temp = tempDir();
  const stateDir = path.join(temp.dir, "state");
  const note = path.join(stateDir, "daemon.json");
  await using shim = startCommand(["mcp", "--state-dir", stateDir], {
    cwd: temp.dir,
    env: { TROUPE_HTTP: "off" },
  });
  await untilThere(temp.dir, () => readNote(note));
  process.kill(readNote(note)?.pid ?? 0, "SIGTERM");
  await untilThere(temp.dir, () => !readNote(note));
  assert.equal(shim.child.exitCode, null);
});

/** Resolves once something holds that changes with files below a folder. */
async function untilThere(dir: string, holds: () => unknown): Promise<void> {
  const watcher = watch(dir, { recursive: true });
  for (const changed = () => once(watcher, "change"); !holds(); ) await changed();
  watcher.close();
}
