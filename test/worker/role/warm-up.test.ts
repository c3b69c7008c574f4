// Tests when a session is prepared: never during a call, one at a time, and never out of date.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Prepared, WarmUp } from "../../../worker/role/warm-up.ts";

/**
 * Prepares by hand: the list has each one that was begun. One that is closed half open opens no sooner than `lasts`.
 */
class Fake implements Prepared<string> {
  lasts: Promise<void> = Promise.resolve();
  readonly opened = Promise.withResolvers<void>();
  readonly lost = Promise.withResolvers<void>();
  isReady = false;
  isClosed = false;

  open() {
    return this.opened.promise;
  }
  whenLost() {
    return this.lost.promise;
  }
  take(key: string) {
    return `session of ${key}`;
  }
  async close() {
    this.isClosed = true;
    void this.lasts.then(() => this.opened.resolve());
  }
  async finish() {
    this.isReady = true;
    this.opened.resolve();
    await settled();
  }
}

/** Lets pending promises settle. */
async function settled() {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

function prepare({ mock }: TestContext) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const begun: Fake[] = [];
  const failures: Error[] = [];
  const preparation = new WarmUp<string>({
    begin: () => {
      const fake = new Fake();
      begun.push(fake);
      return fake;
    },
    ready: () => undefined,
    failed: (error) => failures.push(error),
  });
  return { preparation, begun, failures };
}

test("one is prepared once the role has been quiet, and the next when that one is taken", async (t) => {
  const { preparation, begun } = prepare(t);
  assert.equal(preparation.take("early"), undefined);
  t.mock.timers.tick(250);
  assert.equal(preparation.take("early"), undefined, "it is not ready");
  await begun[0]?.finish();
  assert.equal(preparation.take("a"), "session of a");
  assert.equal(preparation.take("b"), undefined, "it is one session's");
  const call = new AbortController();
  preparation.callBegan(call.signal);
  t.mock.timers.tick(10_000);
  assert.equal(begun.length, 1, "nothing is prepared beside a call");
  call.abort();
  t.mock.timers.tick(250);
  assert.equal(begun.length, 2);
});

test("a half-prepared session is given up for a call, and each retry comes later", async (t) => {
  const { preparation, begun } = prepare(t);
  for (const quietMs of [250, 500, 1000, 2000, 4000, 4000]) {
    t.mock.timers.tick(quietMs - 1);
    const before = begun.length;
    t.mock.timers.tick(1);
    assert.equal(begun.length, before + 1, `after ${quietMs} ms`);
    const call = new AbortController();
    preparation.callBegan(call.signal);
    assert.equal(begun.at(-1)?.isClosed, true);
    await settled();
    call.abort();
  }
  t.mock.timers.tick(4000);
  await begun.at(-1)?.finish();
  preparation.callBegan(new AbortController().signal);
  assert.equal(begun.at(-1)?.isClosed, false, "what is ready is in nobody's way");
  assert.equal(preparation.take("a"), "session of a");
});

test("a session that was given up goes on opening, and the next begins when it has ended", async (t) => {
  const { preparation, begun } = prepare(t);
  t.mock.timers.tick(250);
  const [first] = begun;
  assert.ok(first);
  const { promise, resolve } = Promise.withResolvers<void>();
  first.lasts = promise;
  for (let calls = 0; calls < 3; calls++) {
    const call = new AbortController();
    preparation.callBegan(call.signal);
    call.abort();
    await settled();
    t.mock.timers.tick(10_000);
  }
  assert.deepEqual([first.isClosed, begun.length], [true, 1]);
  resolve();
  await settled();
  t.mock.timers.tick(10_000);
  assert.equal(begun.length, 2);
});

test("a session that is out of date is dropped, ready or not, and another is prepared", async (t) => {
  const { preparation, begun } = prepare(t);
  t.mock.timers.tick(250);
  preparation.renew();
  await settled();
  t.mock.timers.tick(250);
  assert.deepEqual(
    begun.map(({ isClosed }) => isClosed),
    [true, false],
  );
  await begun[1]?.finish();
  preparation.renew();
  assert.equal(begun[1]?.isClosed, true);
  assert.equal(preparation.take("a"), undefined);
  await settled();
  t.mock.timers.tick(250);
  assert.equal(begun.length, 3);
});

test("after a lost or failed preparation, the next waits for a call, and the failure is reported", async (t) => {
  const { preparation, begun, failures } = prepare(t);
  const afterCall = () => {
    const call = new AbortController();
    preparation.callBegan(call.signal);
    call.abort();
    t.mock.timers.tick(4000);
  };
  t.mock.timers.tick(250);
  await begun[0]?.finish();
  begun[0]?.lost.resolve();
  await settled();
  assert.equal(preparation.take("a"), undefined);
  assert.equal(begun[0]?.isClosed, true);
  t.mock.timers.tick(60_000);
  assert.equal(begun.length, 1);

  afterCall();
  begun[1]?.opened.reject(new Error("no more contexts"));
  await settled();
  assert.deepEqual(
    failures.map(({ message }) => message),
    ["no more contexts"],
  );
  t.mock.timers.tick(60_000);
  assert.equal(begun.length, 2);
  afterCall();
  assert.equal(begun.length, 3);
});

test("a warm-up that has ended prepares nothing", (t) => {
  const { preparation, begun } = prepare(t);
  preparation.close();
  t.mock.timers.tick(60_000);
  preparation.renew();
  t.mock.timers.tick(60_000);
  assert.equal(begun.length, 0);
});
