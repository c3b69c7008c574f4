import assert from "node:assert/strict";
import { test } from "node:test";
import { givesWay, mayWait, nextInLine } from "../../../daemon/sessions/fairness.ts";
import { SlotQueue } from "../../../daemon/sessions/slot-queue.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const lines: [what: string, waiting: string[], served: string[], next: string | undefined][] = [
  ["nobody", [], ["ci"], undefined],
  ["who came first, of one client's", ["ci/a", "ci/b"], ["ci"], "ci/a"],
  ["who came first, of clients that had nothing yet", ["ci/a", "ops/a"], [], "ci/a"],
  ["whose client had nothing yet", ["ci/a", "ci/b", "ops/a"], ["ci"], "ops/a"],
  ["whose client was served longest ago", ["ci/a", "ops/a", "qa/a"], ["qa", "ops", "ci"], "qa/a"],
];
for (const [what, waiting, served, next] of lines) {
  test(`a freed slot goes to ${what}`, () => {
    const line = waiting.map((key) => ({ key }));
    assert.equal(nextInLine(line, served)?.key, next);
  });
}

const queues: [what: string, key: string, waiting: Record<string, number>, queue: number, may: boolean][] = [
  ["there is room", "ci/a", { "ci/a": 63 }, 64, true],
  ["one session has it all", "ci/a", { "ci/a": 64 }, 64, false],
  ["another client has it all", "ops/a", { "ci/a": 64 }, 64, true],
  ["it has half of it beside another client", "ops/a", { "ci/a": 64, "ops/a": 32 }, 64, false],
  ["another session of the client has it all", "ci/b", { "ci/a": 64 }, 64, true],
  ["its client has a half, but not by this session", "ci/b", { "ci/a": 32, "ops/a": 32 }, 64, true],
  ["nobody may wait", "ci/a", {}, 0, false],
  ["those without waiting calls take no share", "ops/a", { "ci/a": 2, "qa/a": 0 }, 2, true],
];
for (const [what, key, waiting, queue, may] of queues) {
  test(`a call ${may ? "waits" : "is refused"} if ${what}`, () => {
    assert.equal(mayWait(key, new Map(Object.entries(waiting)), queue), may);
  });
}

test("slots rotate between clients, however many sessions of one of them wait", async () => {
  const places = new SlotQueue(
    { role: "r", sessions: 1, queue: 9, queueWaitMs: 10_000, hibernateAfterMs: 300_000 },
    fakeClock(),
  );
  const never = new AbortController().signal;
  const order: string[] = [];
  const take = (key: string) => places.take(key, key, 30_000, never).then(() => void order.push(key));
  await take("ci/0");
  const waiting = ["ci/1", "ci/2", "ops/1", "ci/3", "qa/1", "ops/2"].map(take);
  for (let freed = 0; freed < waiting.length; freed++) {
    places.free(order.at(-1) ?? "");
    // The waiter's promise settles in the same turn of the event loop.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await Promise.all(waiting);
  assert.deepEqual(order, ["ci/0", "ops/1", "qa/1", "ci/1", "ops/2", "ci/2", "ci/3"]);
});

test("BUSY names the holders of the client's own sessions, and counts the others", async () => {
  const places = new SlotQueue(
    { role: "r", sessions: 2, queue: 9, queueWaitMs: 10_000, hibernateAfterMs: 300_000 },
    fakeClock(),
  );
  const never = new AbortController().signal;
  await places.take("ci/a", "a", 0, never);
  await places.take("ops/a", "a", 0, never);
  for (let calls = 0; calls < 10; calls++) places.enter("ci/a");
  assert.throws(() => places.enter("ci/a"), {
    type: "BUSY",
    data: { limit: "9 calls wait in role 'r' already", holders: ["a"], others: 1, retryAfterMs: 10_000 },
  });
  assert.doesNotThrow(() => places.enter("ops/a"));
  assert.doesNotThrow(() => places.enter("ops/a"), "another client's first waiting call is not shut out");
});

for (const [what, own, counts, most, gives] of [
  ["alone, a client has all", "a", { a: 10 }, 10, undefined],
  ["a newcomer gets one of who has all", "b", { a: 10 }, 10, "a"],
  ["two have a half each", "b", { a: 6, b: 4 }, 10, "a"],
  ["who has its half gets no more", "b", { a: 5, b: 5 }, 10, undefined],
  ["who has most gives way", "d", { a: 3, b: 5, c: 2 }, 10, "b"],
  ["where a share is no whole session, nobody gives way", "c", { a: 1, b: 1 }, 2, undefined],
] as const)
  test(`sessions in all: ${what}`, () =>
    assert.equal(givesWay(own, new Map(Object.entries(counts)), most), gives));
