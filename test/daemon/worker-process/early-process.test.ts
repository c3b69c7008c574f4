import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { WorkerTraces } from "../../../daemon/state/leftovers.ts";
import { WORKER_TIMES } from "../../../daemon/worker-process/worker-times.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { allGone, allStats, isAlive } from "../../harness/proc.ts";
import { startProgram } from "../../harness/program.ts";
import { role } from "../../harness/role-states.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { until } from "../../harness/within.ts";

const withStandIns = fileURLToPath(new URL("../../harness/run-daemon.ts", import.meta.url));
const main = fileURLToPath(new URL("../../../daemon/main.ts", import.meta.url));
const AUTOSTARTED = { idleExitMs: 3_600_000 };

/** Returns the traces of the workers of the daemon in this folder. */
function tracesIn(dir: string): WorkerTraces[] {
  const file = path.join(dir, "s/workers.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as WorkerTraces[]) : [];
}

/** Returns the processes whose command line has the words. */
function processesWith(words: string): number[] {
  const commands = allStats().map(({ pid }) => [pid, commandOf(pid)] as const);
  return commands.filter(([pid, command]) => command.includes(words) && isAlive(pid)).map(([pid]) => pid);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const pidOf = ({ ok }: { ok?: string }) => (JSON.parse(ok ?? "{}") as { pid: number }).pid;

test("the first call to the first role gets the process that started with the daemon", async () => {
  await using troupe = await testDaemon({ roles: { one: {}, two: {} } }, AUTOSTARTED);
  const [early] = tracesIn(troupe.dir);
  assert.ok(early);
  const [waiting = 0, ...others] = processesWith(early.socket);
  assert.deepEqual(others, []);
  assert.equal((await role(troupe, "one")).state, "ROLE_STATE_STOPPED");
  assert.equal(pidOf(await troupe.open("http://do/state")), waiting);
  assert.equal((await role(troupe, "one")).restarts, 0);
  // A later worker of the role gets a process of its own.
  await troupe.ask("RestartRole", { name: "one" });
  assert.notEqual(pidOf(await troupe.open("http://do/state", { session: "s3" })), waiting);
  assert.equal(isAlive(waiting), false);
});

test("a daemon that no client started begins no worker", async () => {
  await using troupe = await testDaemon();
  assert.deepEqual(tracesIn(troupe.dir), []);
});

test("a start of another role ends the early process, and its role gets another", async () => {
  await using troupe = await testDaemon({ roles: { one: {}, two: {} } }, AUTOSTARTED);
  const [early] = tracesIn(troupe.dir);
  assert.ok(early);
  const waiting = processesWith(early.socket);
  const gone = troupe.logged("an early worker ended");
  await troupe.open("http://do/state", { role: "two", session: "s2" });
  await gone;
  await allGone(waiting);
  await until(() => !tracesIn(troupe.dir).some(({ socket }) => socket === early.socket), "no trace is left");
  assert.equal(existsSync(early.tmpDir), false);
  assert.equal(waiting.includes(pidOf(await troupe.open("http://do/state"))), false);
  assert.equal((await role(troupe, "one")).restarts, 0);
});

test("an early process that does not listen in time is gone before its role starts", async () => {
  const silent = { program: process.execPath, args: ["-e", "setInterval(() => {}, 1000)", "--"] };
  const times = { ...WORKER_TIMES, listenMs: 500 };
  await using troupe = await testDaemon({}, { worker: silent, times, ...AUTOSTARTED });
  const [early] = tracesIn(troupe.dir);
  assert.ok(early);
  await troupe.logged("an early worker ended");
  await allGone(processesWith(early.socket));
  await until(() => tracesIn(troupe.dir).length === 0, "no trace is left");
  assert.equal(existsSync(early.tmpDir), false);
});

test("an early process that was killed leaves nothing, and the first call starts another", async () => {
  await using troupe = await testDaemon({}, AUTOSTARTED);
  const [early] = tracesIn(troupe.dir);
  assert.ok(early);
  const [waiting = 0] = processesWith(early.socket);
  const gone = troupe.logged("an early worker ended");
  process.kill(waiting, "SIGKILL");
  await gone;
  const next = pidOf(await troupe.open("http://do/state"));
  assert.notEqual(next, waiting);
  assert.ok(isAlive(next));
  assert.deepEqual(
    tracesIn(troupe.dir).filter(({ socket }) => socket === early.socket),
    [],
  );
  assert.equal(existsSync(early.tmpDir), false);
});

for (const [what, worker] of [
  ["ends at once", { program: process.execPath, args: ["-e", "process.exit(3)", "--"] }],
  ["is no program", { program: "/no/such/program", args: [] }],
] as const) {
  test(`a worker that ${what} fails the role as without an early process`, async () => {
    const config = { restart: { max: 1, backoff: "10ms", cap: "10ms" } };
    const errors: unknown[][] = [];
    for (const started of [{}, AUTOSTARTED]) {
      await using troupe = await testDaemon(config, { worker, ...started });
      if (started === AUTOSTARTED) await troupe.logged("an early worker ended");
      const { error } = await troupe.open("http://a.test/");
      errors.push([
        error?.type,
        error?.details.reason,
        error?.recoverable,
        (await role(troupe, "default")).state,
      ]);
    }
    assert.deepEqual(errors[1], errors[0]);
    assert.equal(errors[0]?.[0], "WORKER_UNAVAILABLE");
  });
}

for (const [signal, times] of [
  ["SIGTERM", 1],
  ["SIGTERM", 2],
  ["SIGKILL", 1],
] as const) {
  test(`after ${times} times ${signal} to the daemon no early process is left`, async () => {
    using temp = tempDir();
    const env = { PATH: process.env.PATH, HOME: temp.dir };
    const args = ["--state-dir", "s", "--http", "off", "--idle-exit", "1h"];
    await using daemon = startProgram([withStandIns, ...args], { cwd: temp.dir, env });
    await daemon.said(/ready/);
    const [early] = tracesIn(temp.dir);
    assert.ok(early);
    const waiting = processesWith(early.socket);
    assert.equal(waiting.length, 1);
    for (let i = 0; i < times; i++) daemon.child.kill(signal);
    await daemon.ended;
    await allGone(waiting);
    if (signal === "SIGKILL") return;
    if (times === 1)
      assert.deepEqual(
        readdirSync(path.join(temp.dir, "s")).filter((name) => /^w\d/.test(name)),
        [],
      );
  });
}

test("where the kernel does not end it, an early process ends itself with the daemon", async () => {
  using temp = tempDir();
  const args = ["--state-dir", "s", "--http", "off", "--idle-exit", "1h"];
  // Without PATH there is no setpriv.
  await using daemon = startProgram([main, ...args], {
    cwd: temp.dir,
    env: { HOME: temp.dir, PATH: temp.dir },
  });
  await daemon.said(/Troupe/);
  const [early] = tracesIn(temp.dir);
  assert.ok(early);
  const { socket } = early;
  await until(() => existsSync(socket), "the worker listens");
  const waiting = processesWith(socket);
  assert.equal(waiting.length, 1);
  daemon.child.kill("SIGKILL");
  await daemon.ended;
  await allGone(waiting);
});
