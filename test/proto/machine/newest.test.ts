import assert from "node:assert/strict";
import { test } from "node:test";
import { keepNewest } from "../../../proto/machine/newest.ts";

test("the oldest entry makes way, and a repeated one becomes the newest", () => {
  const map = new Map<string, number>();
  for (const [at, key] of ["a", "b", "a", "c"].entries()) keepNewest(map, key, at, 2);
  assert.deepEqual(
    [...map],
    [
      ["a", 2],
      ["c", 3],
    ],
  );
});
