// When a session's pages stand still, and that whoever comes finds them running.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Freezer } from "../../../worker/session/freeze.ts";
import type { Tab } from "../../../worker/tab/tab.ts";

const AFTER_MS = 60_000;

/** A tab of which only what it is told matters. */
class FakeTab {
  readonly sent: string[] = [];
  isFrozen = false;
  dialog: object | undefined;
  readonly activity = { navigating: false };
  /** Answers of the browser wait for it. */
  answers: Promise<void> = Promise.resolve();
  readonly client = {
    send: (method: string, { state, enabled }: { state?: string; enabled?: boolean }) => {
      this.sent.push(state ?? `${method.slice(-"FocusEmulationEnabled".length)} ${enabled}`);
      return this.answers;
    },
  };
}

const STOPPED = ["FocusEmulationEnabled false", "frozen"];
const WOKEN = ["active", "FocusEmulationEnabled true"];

function rest({ mock }: TestContext, tabs: FakeTab[], { afterMs = AFTER_MS, kept = [] as string[] } = {}) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const resting = new Freezer({
    isUntold: false,
    afterMs,
    tabs: () => tabs as unknown as Tab[],
    beforehand: async () => void kept.push("kept"),
  });
  /** A call; over with what is returned. */
  const call = async () => {
    const controller = new AbortController();
    await resting.use(controller.signal);
    return () => controller.abort();
  };
  return { resting, call };
}

/** What waits for promises has gone on. */
async function settled() {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

test("pages are stopped a while after the last call, and woken before the next goes on", async (t) => {
  const tab = new FakeTab();
  const kept: string[] = [];
  const { call } = rest(t, [tab], { kept });
  const over = await call();
  const alsoOver = await call();
  over();
  t.mock.timers.tick(AFTER_MS * 2);
  await settled();
  assert.deepEqual(tab.sent, [], "another call is under way");
  alsoOver();
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual([tab.sent.splice(0), kept], [STOPPED, ["kept"]]);
  t.mock.timers.tick(AFTER_MS * 10);
  await settled();
  assert.deepEqual([tab.sent, kept.length], [[], 1], "nothing more is done for what stands still");
  await call();
  assert.deepEqual(tab.sent, WOKEN);
});

test("a page that asks something or is on its way has its turn later, the others theirs now", async (t) => {
  const [quiet, asking, going] = [new FakeTab(), new FakeTab(), new FakeTab()];
  asking.dialog = {};
  going.activity.navigating = true;
  const { call } = rest(t, [quiet, asking, going]);
  (await call())();
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual([quiet.sent, asking.sent, going.sent], [STOPPED, [], []]);
  asking.dialog = undefined;
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual([quiet.sent, asking.sent, going.sent], [STOPPED, STOPPED, []]);
});

test("a call that comes while pages are being stopped waits until they are, and wakes them", async (t) => {
  const tab = new FakeTab();
  const { promise, resolve } = Promise.withResolvers<void>();
  tab.answers = promise;
  const { call } = rest(t, [tab]);
  (await call())();
  t.mock.timers.tick(AFTER_MS);
  await settled();
  const coming = call();
  await settled();
  assert.deepEqual(tab.sent.splice(0), STOPPED);
  resolve();
  await coming;
  assert.deepEqual(tab.sent, WOKEN);
});

test("a call that comes while storage is still read has nothing to wait for, and stops the stopping", async (t) => {
  const tab = new FakeTab();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const read = Promise.withResolvers<void>();
  const resting = new Freezer({
    isUntold: false,
    afterMs: AFTER_MS,
    tabs: () => [tab as unknown as Tab],
    beforehand: () => read.promise,
  });
  const first = new AbortController();
  await resting.use(first.signal);
  first.abort();
  t.mock.timers.tick(AFTER_MS);
  await resting.use(new AbortController().signal);
  read.resolve();
  await settled();
  assert.deepEqual(tab.sent, []);
});

test("a page that crashes while it stands still runs on, and has its turn again", async (t) => {
  const [tab, other] = [new FakeTab(), new FakeTab()];
  const { resting, call } = rest(t, [tab, other]);
  const crash = () => resting.crashed(tab as unknown as Tab);
  const over = await call();
  await crash();
  assert.deepEqual(tab.sent, [], "it was running");
  over();
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual(tab.sent.splice(0), STOPPED);
  await crash();
  assert.deepEqual([tab.sent.splice(0), tab.isFrozen], [WOKEN, false]);
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual([tab.sent, other.sent], [STOPPED, STOPPED], "the other stood still all the while");
});

test("pages run on where they are never to stand still, and where their session has ended", async (t) => {
  const tab = new FakeTab();
  const { call } = rest(t, [tab], { afterMs: 0 });
  (await call())();
  t.mock.timers.tick(AFTER_MS * 10);
  await settled();
  t.mock.timers.reset();
  const ended = rest(t, [tab]);
  (await ended.call())();
  ended.resting.close();
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual(tab.sent, []);
});
