// Tests when a session's pages are frozen, and that every call finds them running.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { CDPSession } from "puppeteer-core";
import { FailureLog } from "../../../worker/failures/failure-log.ts";
import { Freezer } from "../../../worker/session/freeze.ts";
import { Lifecycle } from "../../../worker/tab/lifecycle.ts";
import type { Tab } from "../../../worker/tab/tab.ts";

const AFTER_MS = 60_000;

/** A tab that only records its commands. */
class FakeTab {
  readonly sent: string[] = [];
  halt: object | undefined;
  readonly activity = { navigating: false };
  /** The browser's answers wait for this. */
  answers: Promise<void> = Promise.resolve();
  readonly client = {
    send: (method: string, { state, enabled }: { state?: string; enabled?: boolean }) => {
      this.sent.push(state ?? `${method.slice(-"FocusEmulationEnabled".length)} ${enabled}`);
      return this.answers;
    },
  };
  readonly lifecycle = new Lifecycle(this.client as unknown as CDPSession, new FailureLog(() => undefined));
}

const STOPPED = ["FocusEmulationEnabled false", "frozen"];
const WOKEN = ["active", "FocusEmulationEnabled true"];

function rest({ mock }: TestContext, tabs: FakeTab[], { afterMs = AFTER_MS, kept = [] as string[] } = {}) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const resting = new Freezer({
    isUnreported: false,
    afterMs,
    tabs: () => tabs as unknown as Tab[],
    beforehand: async () => void kept.push("kept"),
  });
  /** Begins a call. The returned function ends it. */
  const call = async () => {
    const controller = new AbortController();
    await resting.use(controller.signal);
    return () => controller.abort();
  };
  return { resting, call };
}

/** Lets pending promises settle. */
async function settled() {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

test("pages are frozen a while after the last call, and resumed before the next one goes on", async (t) => {
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

test("a page with a dialog or a navigation is frozen later, the others now", async (t) => {
  const [quiet, asking, going] = [new FakeTab(), new FakeTab(), new FakeTab()];
  asking.halt = {};
  going.activity.navigating = true;
  const { call } = rest(t, [quiet, asking, going]);
  (await call())();
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual([quiet.sent, asking.sent, going.sent], [STOPPED, [], []]);
  asking.halt = undefined;
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual([quiet.sent, asking.sent, going.sent], [STOPPED, STOPPED, []]);
});

test("a call that comes during freezing waits until it is done, and then resumes the pages", async (t) => {
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

test("a call that comes while storage is read need not wait, and prevents the freezing", async (t) => {
  const tab = new FakeTab();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const read = Promise.withResolvers<void>();
  const resting = new Freezer({
    isUnreported: false,
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

test("a frozen page that crashes runs on, and is frozen again later", async (t) => {
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
  assert.deepEqual([tab.sent.splice(0), tab.lifecycle.isFrozen], [WOKEN, false]);
  t.mock.timers.tick(AFTER_MS);
  await settled();
  assert.deepEqual([tab.sent, other.sent], [STOPPED, STOPPED], "the other stood still all the while");
});

test("pages are not frozen if freezing is off, or if their session has ended", async (t) => {
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
