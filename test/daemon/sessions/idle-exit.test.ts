import assert from "node:assert/strict";
import { test } from "node:test";
import { idleExit } from "../../../daemon/sessions/idle-exit.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

function open(afterMs: number | undefined) {
  const clock = fakeClock();
  const sessions = { size: 0 };
  let left = 0;
  const look = idleExit(afterMs, sessions, clock, () => left++);
  const has = (size: number) => {
    sessions.size = size;
    look();
  };
  return { clock, has, left: () => left };
}

test("a daemon without any session ends after the time", () => {
  const { clock, left } = open(1000);
  clock.pass(999);
  assert.equal(left(), 0);
  clock.pass(1);
  assert.equal(left(), 1);
});

test("a daemon with a session stays, and ends the time after its last session", () => {
  const { clock, has, left } = open(1000);
  has(1);
  clock.pass(5000);
  has(2);
  has(1);
  clock.pass(5000);
  has(0);
  clock.pass(900);
  has(1);
  clock.pass(5000);
  assert.equal(left(), 0);
  has(0);
  clock.pass(1000);
  assert.equal(left(), 1);
});

test("a daemon that was started by hand never ends by itself", () => {
  const { clock, left } = open(undefined);
  clock.pass(1_000_000_000);
  assert.equal(left(), 0);
});
