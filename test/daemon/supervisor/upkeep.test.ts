// Workers that are too large or too old, with real processes that hold real memory.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { type Clock, systemClock } from "../../../daemon/core/clock.ts";
import type { SupervisedRole } from "../../../daemon/supervisor/supervised-role.ts";
import { LOOK_MS, Upkeep } from "../../../daemon/supervisor/upkeep.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { afterEvents } from "../../harness/events/after-events.ts";
import { fakeClock } from "../../harness/fake-clock.ts";
import { restarted } from "../../harness/role-states.ts";
import { LINES } from "../../harness/stand-in/state.ts";
import { tempDir } from "../../harness/temp-dir.ts";

type Troupe = Awaited<ReturnType<typeof testDaemon>>;

interface State {
  pid: number;
  ballast: number;
  shed: string[];
  /** True if tabs with typed text had to stay open. */
  sparing: boolean;
  restored: { key: string }[];
}

/**
 * Checks come at short intervals, and the test can move the time on. `looked` resolves after one whole check from now.
 */
function hastyClock(): Clock & { moveOn(ms: number): void; looked(): Promise<unknown> } {
  let aheadMs = 0;
  let looks = 0;
  const checks = new EventEmitter();
  return {
    now: () => systemClock.now() + aheadMs,
    steady: () => systemClock.steady() + aheadMs,
    after(ms, callback) {
      if (ms !== LOOK_MS) return systemClock.after(ms, callback);
      looks++;
      checks.emit("check");
      return systemClock.after(50, callback);
    },
    looked() {
      const before = looks;
      return afterEvents(checks, "check", () => looks > before + 1, "a whole check");
    },
    moveOn: (ms) => {
      aheadMs += ms;
    },
  };
}

/** The time of a call while the test moves the daemon's clock. Clients' deadlines use the real one. */
const CALL_MS = 4 * 3_600_000;

async function stateOf(troupe: Troupe): Promise<State> {
  const { ok, error } = await troupe.open("http://do/state", { deadlineMs: CALL_MS });
  assert.ok(ok, error?.message ?? "");
  return JSON.parse(ok);
}

const isCounted = async (troupe: Troupe, reason: string) => {
  const body = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  return body.includes(`troupe_worker_restarts_total{role="a",reason="${reason}"} 1`);
};

/** Resolves when the role has its next worker, and the reason is counted. */
async function recycled(troupe: Troupe, reason: string): Promise<void> {
  await restarted(troupe, "a");
  assert.ok(await isCounted(troupe, reason), reason);
}

const GROW = `http://do/grow?bytes=${300 * 2 ** 20}`;

test("a role over its bound is recycled unnoticed; if that repeats soon, its largest tab closes", async () => {
  const clock = hastyClock();
  await using troupe = await testDaemon({ roles: { a: { memory: "250MiB" } } }, { clock });
  await troupe.open("http://kept.test/");
  const { pid } = await stateOf(troupe);
  await troupe.open(GROW);
  await recycled(troupe, "memory");
  const fresh = await stateOf(troupe);
  assert.notEqual(fresh.pid, pid);
  assert.deepEqual([fresh.ballast, fresh.restored.map(({ key }) => key)], [0, ["local/s1"]]);

  await troupe.open(GROW);
  await troupe.logged(LINES.shed);
  const shed = await stateOf(troupe);
  assert.equal(shed.pid, fresh.pid);
  assert.match(shed.shed[0] ?? "", /^the role holds \d+ MiB, more than its 250 MiB$/);

  clock.moveOn(10 * 60_000);
  // Ten minutes later it is recycled again.
  await restarted(troupe, "a", 2);
  assert.notEqual((await stateOf(troupe)).pid, fresh.pid);
});

test("pages collect their garbage before any session loses something", async () => {
  await using troupe = await testDaemon({ roles: { a: { memory: "250MiB" } } }, { clock: hastyClock() });
  const { pid } = await stateOf(troupe);
  await troupe.open(`${GROW}&garbage`);
  await troupe.logged(LINES.collected);
  const lean = await stateOf(troupe);
  assert.deepEqual([lean.pid, lean.shed, lean.ballast], [pid, [], 0]);
});

test("a fresh worker's pages also collect their garbage before one of them closes", async () => {
  await using troupe = await testDaemon({ roles: { a: { memory: "250MiB" } } }, { clock: hastyClock() });
  const { pid } = await stateOf(troupe);
  await troupe.open(GROW);
  await recycled(troupe, "memory");
  await troupe.open(`${GROW}&garbage`);
  await troupe.logged(LINES.collected);
  const lean = await stateOf(troupe);
  assert.notEqual(lean.pid, pid);
  assert.deepEqual([lean.shed, lean.ballast], [[], 0]);
});

const typing = { session: "typing", deadlineMs: CALL_MS };
/** The session types text and does not send it. */
const TYPED = `http://do/type?field=${encodeURIComponent('textbox "Amount"')}`;

test("an old worker waits for typed input; at last only a session that loses some gets one error", async () => {
  const clock = hastyClock();
  await using troupe = await testDaemon({ roles: { a: { maxAge: "1h" } } }, { clock });
  const { pid } = await stateOf(troupe);
  await troupe.open(TYPED, typing);
  clock.moveOn(61 * 60_000);
  await clock.looked();
  assert.equal((await stateOf(troupe)).pid, pid);
  clock.moveOn(6 * 60_000);
  await recycled(troupe, "age");
  assert.notEqual((await stateOf(troupe)).pid, pid);
  const { error } = await troupe.open("http://a.test/", typing);
  assert.deepEqual(
    [error?.type, error?.details.lost, error?.details.effect],
    ["WORKER_RESTARTED", ['textbox "Amount"'], "none"],
  );
  assert.match(String(error?.details.reason), /had grown old/);
  assert.ok((await troupe.open("http://a.test/", typing)).ok);
});

test("an old worker is replaced once typed text is sent, and no session gets an error", async () => {
  const clock = hastyClock();
  await using troupe = await testDaemon({ roles: { a: { maxAge: "1h" } } }, { clock });
  await troupe.open(TYPED, typing);
  clock.moveOn(61 * 60_000);
  await clock.looked();
  assert.equal(await isCounted(troupe, "age"), false);
  await troupe.open("http://do/type", typing);
  await recycled(troupe, "age");
  assert.ok((await troupe.open("http://a.test/", typing)).ok);
});

test("a role over its bound closes tabs without input before a session loses typed text", async () => {
  const clock = hastyClock();
  await using troupe = await testDaemon({ roles: { a: { memory: "250MiB" } } }, { clock });
  const { pid } = await stateOf(troupe);
  await troupe.open(TYPED, typing);
  await troupe.open(GROW);
  await troupe.logged(LINES.shed);
  const shed = await stateOf(troupe);
  assert.equal(shed.pid, pid);
  assert.equal(shed.sparing, true);
  clock.moveOn(2 * 60_000);
  await recycled(troupe, "memory");
  const { error } = await troupe.open("http://a.test/", typing);
  assert.equal(error?.type, "WORKER_RESTARTED");
});

test("an old worker is replaced between calls, and its sessions get no error", async () => {
  const clock = hastyClock();
  await using troupe = await testDaemon({ roles: { a: { maxAge: "1h" } } }, { clock });
  const { pid } = await stateOf(troupe);
  const waits = troupe.open("http://do/wait", { session: "other", deadlineMs: CALL_MS });
  await troupe.holds("other");
  clock.moveOn(61 * 60_000);
  await clock.looked();
  assert.equal(await isCounted(troupe, "age"), false);
  await troupe.open("http://do/go-on", { deadlineMs: CALL_MS });
  assert.ok((await waits).ok, "no call is broken off for it");
  await recycled(troupe, "age");
  assert.notEqual((await stateOf(troupe)).pid, pid);
});

test("recycling breaks off no call, however short the drain, and new calls wait for the new worker", async () => {
  const clock = hastyClock();
  const limits = { drain: "100ms", queueWait: "100ms" };
  await using troupe = await testDaemon({ limits, roles: { a: { memory: "250MiB" } } }, { clock });
  const { pid } = await stateOf(troupe);
  const waits = troupe.open("http://do/wait", { session: "busy" });
  await troupe.holds("busy");
  assert.ok((await troupe.open(GROW, { session: "other" })).ok);
  await clock.looked();
  assert.equal(await isCounted(troupe, "memory"), false);
  assert.ok((await troupe.open("http://do/go-on", { session: "other" })).ok);
  assert.ok((await waits).ok);
  await recycled(troupe, "memory");
  const fresh = await stateOf(troupe);
  assert.notEqual(fresh.pid, pid);
  assert.deepEqual(fresh.shed, []);
});

test("a failed check of one role does not stop the others", async () => {
  const measured: number[] = [];
  const lines: string[] = [];
  const role = (name: string, pid: number) =>
    [name, { name, worker: { pid }, stand: {} } as SupervisedRole] as const;
  using upkeep = new Upkeep({
    roles: new Map([role("a", 1), role("b", 2)]),
    measure: async (pid) => {
      if (pid === 1) throw new Error("told to");
      return { worker: 0, browser: 0 };
    },
    measured: ({ worker }) => void measured.push(worker?.pid ?? 0),
    limits: { callTimeout: 60_000 },
    clock: fakeClock(),
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
  await upkeep.look();
  assert.deepEqual(measured, [2]);
  assert.match(lines.join(), /"role":"a".*could not be looked after/);
});

test("a worker's age is its working time, even if the clock is set meanwhile", async () => {
  assert.ok((await recycledAtAnHour({})).includes("age"));
});

test("a worker of an attached browser is not replaced for its age: another one might ask a person", async () => {
  assert.deepEqual(await recycledAtAnHour({ connect: "auto" }), []);
});

/** Returns why the worker of a role with this browser was replaced by the end of its hour. */
async function recycledAtAnHour(browser: { connect?: string }): Promise<string[]> {
  const clock = fakeClock();
  const recycled: string[] = [];
  const role = {
    name: "a",
    worker: { pid: 1 },
    settings: { memory: 2 ** 30, maxAge: 3_600_000, browser },
    stand: { state: "READY", sinceMs: clock.steady() },
    calls: { underWay: 0, within: async () => undefined },
    sessions: { hasInput: false },
    replaceWorker: (why: string) => recycled.push(why),
  };
  using upkeep = new Upkeep({
    roles: new Map([["a", role as unknown as SupervisedRole]]),
    measure: async () => ({ worker: 0, browser: 0 }),
    measured: () => undefined,
    limits: { callTimeout: 60_000 },
    clock,
    log: pino({ level: "silent" }),
  });
  for (const byMs of [86_400_000, -2 * 86_400_000]) {
    clock.set(byMs);
    await upkeep.look();
    assert.deepEqual(recycled, []);
  }
  clock.pass(3_600_000);
  await upkeep.look();
  await setImmediate();
  return recycled;
}

test("a start's duration is right even if the clock is set back, and dates follow the new time", async () => {
  let setByMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + setByMs };
  using temp = tempDir();
  const file = path.join(temp.dir, "go");
  const args = [`--start-when=${file}`];
  await using troupe = await testDaemon({ roles: { a: { browser: { args } } } }, { clock });
  const opened = troupe.open("http://a.test/");
  await troupe.logged(LINES.starting);
  setByMs = -3_600_000;
  writeFileSync(file, "");
  assert.equal((await opened).error, undefined);
  const body = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  const [, seconds] = /^troupe_worker_start_seconds_sum\S* (\S+)$/m.exec(body) ?? [];
  assert.ok(Number(seconds) > 0 && Number(seconds) < 60, `${seconds} s`);
  setByMs = 3_600_000;
  const { ok } = await troupe.ask("GetRole", { name: "a" });
  const sinceMs = Number(ok?.role?.readySince?.seconds) * 1000;
  assert.ok(Math.abs(sinceMs - clock.now()) < 60_000, `${sinceMs - clock.now()} ms from now`);
});

test("the memory of workers is measured", async () => {
  const clock = hastyClock();
  await using troupe = await testDaemon({ roles: { a: {} } }, { clock });
  await troupe.open("http://a.test/");
  await clock.looked();
  const body = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  const bytes = Number(/^troupe_memory_bytes\{role="a",process="worker"\} (\d+)$/m.exec(body)?.[1]);
  assert.ok(bytes > 10 * 2 ** 20 && bytes < 500 * 2 ** 20, `${bytes} bytes`);
});
