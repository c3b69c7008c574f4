import assert from "node:assert/strict";
import { test } from "node:test";
import { WaitingRoom } from "../../../daemon/supervisor/waiting-room.ts";
import type { Worker } from "../../../daemon/worker-process/worker.ts";
import { fail } from "../../../proto/errors/catalogue.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

function open({ starts = true } = {}) {
  const clock = fakeClock();
  const now = { starts };
  const room = new WaitingRoom(clock, () => now.starts);
  const late = () => fail("WORKER_UNAVAILABLE", { role: "r", reason: "late", retryAfterMs: 1 });
  const wait = (signal?: AbortSignal) => room.wait({ callMs: 30_000, queueMs: 10_000 }, late, signal);
  return { clock, now, room, wait };
}

const LATE = { type: "WORKER_UNAVAILABLE" };

test("while no worker starts, the queue's bound ends the wait", async () => {
  const { clock, wait } = open({ starts: false });
  const waiting = assert.rejects(wait(), LATE);
  clock.pass(10_000);
  await waiting;
  assert.equal(clock.pending, 0);
});

test("while a worker starts, only the call's end ends the wait", async () => {
  const { clock, room, wait } = open();
  const worker = { pid: 1 } as Worker;
  const early = assert.rejects(wait(), LATE);
  clock.pass(1);
  const recent = wait();
  clock.pass(29_999);
  room.admit(worker);
  await early;
  assert.equal(await recent, worker);
});

test("a failed start ends only the waits beyond the queue's bound", async () => {
  const { clock, now, room, wait } = open();
  const early = assert.rejects(wait(), LATE);
  clock.pass(10_000);
  const recent = wait();
  now.starts = false;
  room.startsNoMore();
  await early;
  const later = assert.rejects(recent, LATE);
  assert.equal(clock.pending, 2);
  clock.pass(10_000);
  await later;
});

test("a call that is cancelled before or during its wait ends at once", async () => {
  const { clock, wait } = open();
  await assert.rejects(wait(AbortSignal.abort(new Error("gone"))), /gone/);
  const cancel = new AbortController();
  const waiting = assert.rejects(wait(cancel.signal), /gone/);
  cancel.abort(new Error("gone"));
  await waiting;
  assert.equal(clock.pending, 0);
});
