import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { fail, type TroupeError } from "../../../proto/errors/catalogue.ts";
import { CallCame, Turns } from "../../../worker/session/turn.ts";

const never = new AbortController().signal;

test("turns are taken one at a time, in order, and each gives its result", async () => {
  const turns = new Turns();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const taken = [
    turns.take(never, async () => {
      order.push("first begins");
      await first.promise;
      order.push("first ends");
      return 1;
    }),
    turns.take(never, async () => {
      order.push("second");
      return 2;
    }),
  ];
  await Promise.resolve();
  first.resolve();
  assert.deepEqual(await Promise.all(taken), [1, 2]);
  assert.deepEqual(order, ["first begins", "first ends", "second"]);
});

test("a turn that fails ends like any other", async () => {
  const turns = new Turns();
  await assert.rejects(
    turns.take(never, () => Promise.reject(new Error("failed"))),
    /failed/,
  );
  assert.equal(await turns.take(never, async () => "next"), "next");
});

test("a turn that is given up lets the next begin, even if its work has not ended", async () => {
  const turns = new Turns();
  const controller = new AbortController();
  const endless = turns.take(controller.signal, () => new Promise<never>(() => undefined));
  const next = turns.take(never, async () => "next");
  controller.abort(new Error("given up"));
  await assert.rejects(endless, /given up/);
  assert.equal(await next, "next");
});

test("a call that gives up while waiting loses its place, blocks no other, and its work never begins", async () => {
  const turns = new Turns();
  const first = Promise.withResolvers<void>();
  const controller = new AbortController();
  const order: string[] = [];
  const taken = turns.take(never, () => first.promise);
  const waiting = turns.take(controller.signal, async () => order.push("never"));
  const last = turns.take(never, async () => order.push("last"));
  controller.abort(new Error("gave up waiting"));
  await assert.rejects(waiting, /gave up waiting/);
  assert.equal(order.length, 0);
  first.resolve();
  await Promise.all([taken, last]);
  assert.deepEqual(order, ["last"]);
  await assert.rejects(
    turns.take(controller.signal, async () => order.push("never")),
    /gave up waiting/,
  );
});

test("work that fails after its turn was given up has no effect", async () => {
  const turns = new Turns();
  const controller = new AbortController();
  const work = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  const taken = turns.take(controller.signal, () => {
    begun.resolve();
    return work.promise;
  });
  await begun.promise;
  controller.abort(new Error("given up"));
  await assert.rejects(taken, /given up/);
  work.reject(new Error("late"));
  assert.equal(await turns.take(never, async () => "next"), "next");
});

test("work does not begin if its call gave up just before", async () => {
  const turns = new Turns();
  const controller = new AbortController();
  const order: string[] = [];
  const taken = turns.take(controller.signal, async () => order.push("never"));
  controller.abort(new Error("given up"));
  await assert.rejects(taken, /given up/);
  await turns.take(never, async () => order.push("next"));
  assert.deepEqual(order, ["next"]);
});

test("held work ends before the next turn begins, even if its call has ended or it fails", async () => {
  for (const end of ["resolve", "reject"] as const) {
    const turns = new Turns();
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    const call = new AbortController();
    const taken = turns.take(call.signal, () => {
      turns.hold(held.promise.finally(() => order.push("held")));
      return Promise.withResolvers<void>().promise;
    });
    const next = turns.take(never, async () => void order.push("next"));
    await new Promise(setImmediate);
    call.abort(new Error("the call has ended"));
    await assert.rejects(taken, /the call has ended/);
    await new Promise(setImmediate);
    assert.deepEqual(order, []);
    held[end]();
    await next;
    assert.deepEqual(order, ["held", "next"]);
  }
});

const person = {
  graceMs: 60_000,
  waitMs: 60_000,
  isLeaving: () => false,
  refusal: (effect: "none" | "unknown") => new Error(effect) as TroupeError,
};

test("a person waits for the call under way, and the calls behind it are refused", async () => {
  const turns = new Turns();
  const first = Promise.withResolvers<void>();
  const working = await begun(turns, first.promise);
  const waiting = turns.take(never, async () => "never");
  const taken = turns.takeOver(person, never, async () => "person");
  await assert.rejects(waiting, /none/);
  assert.throws(() => turns.checkFree(), /none/);
  first.resolve();
  await working.over;
  assert.equal(await taken, "person");
  turns.checkFree();
});

test("a call that takes too long for a waiting person is broken off, and says that it may have acted", async () => {
  const turns = new Turns();
  const working = await begun(turns, new Promise<never>(() => undefined));
  const taken = turns.takeOver({ ...person, graceMs: 1 }, never, async () => "person");
  await assert.rejects(working.over, /unknown/);
  assert.equal(await taken, "person");
});

test("a call during a person's turn waits for its end, or is refused after a while", async () => {
  const turns = new Turns();
  const over = Promise.withResolvers<void>();
  const taken = turns.takeOver({ ...person, waitMs: 1 }, never, () => over.promise);
  await assert.rejects(
    turns.take(never, async () => "refused"),
    /none/,
  );
  over.resolve();
  await taken;
  const again = Promise.withResolvers<void>();
  const second = turns.takeOver(person, never, () => again.promise);
  const waiting = turns.take(never, async () => "after");
  again.resolve();
  await second;
  assert.equal(await waiting, "after");
});

test("a second person waits until the first has left, and a person who leaves while waiting has no turn", async () => {
  const turns = new Turns();
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const taken = turns.takeOver(person, never, () => first.promise);
  const second = turns.takeOver(person, never, async () => void order.push("second"));
  const leaving = new AbortController();
  const third = turns.takeOver(person, leaving.signal, async () => void order.push("third"));
  leaving.abort(new Error("left"));
  await assert.rejects(third, /left/);
  assert.deepEqual(order, []);
  first.resolve();
  await Promise.all([taken, second]);
  assert.deepEqual(order, ["second"]);
  turns.checkFree();
});

test("a person who leaves while a call is under way lets the calls go on", async () => {
  const turns = new Turns();
  const first = Promise.withResolvers<void>();
  const working = await begun(turns, first.promise);
  const leaving = new AbortController();
  const taken = turns.takeOver(person, leaving.signal, async () => "never");
  leaving.abort(new Error("left"));
  await assert.rejects(taken, /left/);
  first.resolve();
  await working.over;
  assert.equal(await turns.take(never, async () => "next"), "next");
});

/** Resolves when the call has its turn. `over`: its outcome. */
async function begun(turns: Turns, work: Promise<void>): Promise<{ over: Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const over = turns.take(never, () => {
    resolve();
    return work;
  });
  // A test looks at the rejection later.
  over.catch(() => undefined);
  await promise;
  return { over };
}

test("a call waits for a person who is leaving, longer than for one who stays", async () => {
  const turns = new Turns();
  const gone = Promise.withResolvers<void>();
  const refusal = (effect: "none" | "unknown") =>
    fail("PERSON_AT_WORK", { role: "shop", effect, retryAfterMs: 1, endsInMs: 1 });
  let isLeaving = () => false;
  const person = { graceMs: 0, waitMs: 0, isLeaving: () => isLeaving(), refusal };
  const { signal } = new AbortController();
  const turn = turns.takeOver(person, signal, () => gone.promise);
  await assert.rejects(
    turns.take(signal, async () => "served"),
    { type: "PERSON_AT_WORK" },
  );
  // It is asked when the wait for a person who stays is over.
  isLeaving = () => {
    gone.resolve();
    return true;
  };
  assert.equal(await turns.take(signal, async () => "served"), "served");
  await turn;
});

test("work outside of the turns begins when no call has its turn, and waits for no longer than its own signal", async () => {
  const turns = new Turns();
  const first = Promise.withResolvers<void>();
  const call = await begun(turns, first.promise);
  const late = new AbortController();
  const tooLate = turns.aside(late.signal, async () => assert.fail("it began"));
  const aside = turns.aside(never, async () => "done");
  late.abort(new Error("too late"));
  await assert.rejects(tooLate, /too late/);
  first.resolve();
  await call.over;
  assert.equal(await aside, "done");
});

test("work outside of the turns is given up for a call, which begins after it has ended", async () => {
  const turns = new Turns();
  const order: string[] = [];
  const cleaned = Promise.withResolvers<void>();
  const asides = ["one", "other"].map((name) =>
    turns.aside(never, async (givenUp) => {
      await once(givenUp, "abort");
      order.push(`${name} is given up`);
      await cleaned.promise;
      order.push(`${name} ends`);
      throw givenUp.reason;
    }),
  );
  const call = turns.take(never, async () => void order.push("call"));
  // The last assertion hears of it.
  for (const aside of asides) aside.catch(() => undefined);
  await new Promise(setImmediate);
  assert.deepEqual(order, ["one is given up", "other is given up"]);
  cleaned.resolve();
  await call;
  assert.deepEqual(order.slice(2), ["one ends", "other ends", "call"]);
  for (const aside of asides) await assert.rejects(aside, CallCame);
  assert.equal(await turns.aside(never, async ({ aborted }) => aborted), false);
});
