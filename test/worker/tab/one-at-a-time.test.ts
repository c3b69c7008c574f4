// Work that is done one piece after the other, whatever becomes of the pieces.
import assert from "node:assert/strict";
import { test } from "node:test";
import { OneAtATime } from "../../../worker/tab/one-at-a-time.ts";

const patient = (before: Promise<unknown>) => before;

test("no piece begins before the one before it has ended, also if that one fails or is given up", async () => {
  const queue = new OneAtATime();
  const said: string[] = [];
  const first = Promise.withResolvers<void>();
  const working = queue.run(patient, async () => {
    said.push("first begins");
    await first.promise;
    said.push("first fails");
    throw new Error("failed");
  });
  const impatient = queue.run(
    () => Promise.reject(new Error("given up")),
    async () => said.push("never"),
  );
  await assert.rejects(impatient, /given up/);
  const last = queue.run(patient, async () => said.push("last"));
  assert.deepEqual(said, ["first begins"]);
  first.resolve();
  await assert.rejects(working, /failed/);
  await last;
  assert.deepEqual(said, ["first begins", "first fails", "last"]);
});

test("a step that a piece has begun and cannot call off ends before the next one begins, also if the piece is given up", async () => {
  const queue = new OneAtATime();
  const said: string[] = [];
  const begun = Promise.withResolvers<void>();
  const givenUp = queue.run(patient, async () => {
    void queue.hold(begun.promise.then(() => said.push("ends")));
    throw new Error("given up");
  });
  const next = queue.run(patient, async () => said.push("next"));
  await assert.rejects(givenUp, /given up/);
  await new Promise(setImmediate);
  assert.deepEqual(said, []);
  begun.resolve();
  await next;
  assert.deepEqual(said, ["ends", "next"]);
});
