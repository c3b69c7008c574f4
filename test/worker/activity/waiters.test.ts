import assert from "node:assert/strict";
import { test } from "node:test";
import { Waiters } from "../../../worker/activity/waiters.ts";

test("all waiters wake once, and a later one waits for the next event", async () => {
  const waiters = new Waiters();
  const first = [waiters.next(), waiters.next(new AbortController().signal)];
  waiters.wake();
  await Promise.all(first);
  assert.equal(waiters.size, 0);
  const later = waiters.next();
  assert.equal(waiters.size, 1);
  waiters.wake();
  await later;
});

test("a waiter that gives up is released and leaves nothing behind", async () => {
  const waiters = new Waiters();
  const controller = new AbortController();
  const waiting = waiters.next(controller.signal);
  controller.abort();
  await waiting;
  await waiters.next(controller.signal);
  assert.equal(waiters.size, 0);
});
