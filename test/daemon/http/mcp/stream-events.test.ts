import assert from "node:assert/strict";
import { test } from "node:test";
import { EventMemory, StreamEvents } from "../../../../daemon/http/mcp/stream-events.ts";
import { fakeClock } from "../../../harness/fake-clock.ts";

const message = (id: number, bytes = 0) =>
  ({ jsonrpc: "2.0", id, result: { text: "x".repeat(bytes) } }) as const;

/** Returns the ids of the messages that a client gets that resumes after an event. */
async function replayed(events: StreamEvents, lastId: string): Promise<number[]> {
  const ids: number[] = [];
  await events.replayEventsAfter(lastId, {
    send: async (_id, sent) => void ids.push((sent as { id: number }).id),
  });
  return ids;
}

test("a resumed stream gets its own later messages, in order, and no opening event", async () => {
  const events = new StreamEvents(new EventMemory(), fakeClock());
  const opened = await events.storeEvent("a", {} as never);
  const first = await events.storeEvent("a", message(1));
  await events.storeEvent("b", message(2));
  await events.storeEvent("b", {} as never);
  await events.storeEvent("a", message(3));
  assert.deepEqual(await replayed(events, opened), [1, 3]);
  assert.deepEqual(await replayed(events, first), [3]);
  assert.equal(await events.getStreamIdForEventId(first), "a");
});

test("an unknown event belongs to no stream", async () => {
  const events = new StreamEvents(new EventMemory(), fakeClock());
  await events.storeEvent("a", message(1));
  for (const id of ["99", "", "__proto__", "-1"])
    assert.equal(await events.getStreamIdForEventId(id), undefined);
  await assert.rejects(replayed(events, "99"));
});

test("a session keeps the newest 500 events, and 8 MiB", async () => {
  const memory = new EventMemory();
  const events = new StreamEvents(memory, fakeClock());
  const first = await events.storeEvent("a", message(0));
  for (let id = 1; id < 500; id++) await events.storeEvent("a", message(id));
  assert.equal(await events.getStreamIdForEventId(first), "a");
  const last = await events.storeEvent("a", message(500));
  assert.equal(await events.getStreamIdForEventId(first), undefined);
  await events.storeEvent("a", message(501, 8 * 2 ** 20 - 200));
  assert.ok(memory.bytes <= 8 * 2 ** 20);
  assert.equal(await events.getStreamIdForEventId(last), "a");
  await events.storeEvent("a", message(502, 9 * 2 ** 20));
  assert.equal(memory.bytes, 0);
});

test("an event is kept for five minutes", async () => {
  const clock = fakeClock();
  const events = new StreamEvents(new EventMemory(), clock);
  const first = await events.storeEvent("a", message(1));
  clock.pass(5 * 60_000);
  await events.storeEvent("a", message(2));
  assert.equal(await events.getStreamIdForEventId(first), "a");
  clock.pass(1);
  await events.storeEvent("a", message(3));
  assert.equal(await events.getStreamIdForEventId(first), undefined);
});

test("all sessions keep 64 MiB together: the one that stored least recently gives way", async () => {
  const memory = new EventMemory();
  const sessions = Array.from({ length: 9 }, () => new StreamEvents(memory, fakeClock()));
  const ids: string[] = [];
  for (const events of sessions) ids.push(await events.storeEvent("a", message(1, 7.5 * 2 ** 20)));
  assert.ok(memory.bytes <= 64 * 2 ** 20);
  const kept = await Promise.all(
    sessions.map((events, index) => events.getStreamIdForEventId(ids[index] ?? "")),
  );
  assert.deepEqual(kept, [undefined, ...Array(8).fill("a")]);
  for (const events of sessions) events[Symbol.dispose]();
  assert.equal(memory.bytes, 0);
});
