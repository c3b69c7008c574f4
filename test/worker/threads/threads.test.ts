import assert from "node:assert/strict";
import { test } from "node:test";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import { openThreads } from "../../../worker/threads/threads.ts";

const endless = { pattern: "^(a+)+$", texts: [`${"a".repeat(60)}b`] };
const type = (expected: string) => (error: unknown) => isTroupeError(error) && error.type === expected;

test("a search returns the texts that match, ignoring case", async () => {
  const threads = openThreads();
  try {
    const task = { pattern: "order #\\d", texts: ["Order #1", "nothing", "ORDER #2"] };
    assert.deepEqual(await threads.search("regex", task), [
      { index: 0, match: "Order #1" },
      { index: 2, match: "ORDER #2" },
    ]);
    await assert.rejects(threads.search("regex", { pattern: "(", texts: [] }), type("INVALID_ARGUMENT"));
  } finally {
    await threads.close();
  }
});

test("a search that waits for busy threads has its own full time, and so do the others", async () => {
  const threads = openThreads();
  try {
    const held = [1, 2].map(() => assert.rejects(threads.search("regex", endless), type("INVALID_ARGUMENT")));
    assert.deepEqual(await threads.search("regex", { pattern: "x", texts: ["x"] }), [
      { index: 0, match: "x" },
    ]);
    await Promise.all(held);
  } finally {
    await threads.close();
  }
});

test("if too many searches wait, the next one is refused as BUSY", async () => {
  const threads = openThreads();
  const waiting = Array.from({ length: 18 }, () => threads.search("regex", endless));
  // They end with the threads, which this test does not check.
  for (const each of waiting) each.catch(() => undefined);
  await assert.rejects(threads.search("regex", endless), type("BUSY"));
  await threads.close();
  await Promise.allSettled(waiting);
});
