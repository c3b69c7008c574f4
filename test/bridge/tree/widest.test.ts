// Tests the search for the width of a page's lists within a room.
import assert from "node:assert/strict";
import { test } from "node:test";
import { widest } from "../../../worker/bridge/tree/widest.ts";

/** Searches with a function that says how much room a width needs. */
function search(
  room: number,
  needs: (width: number) => number,
): { width: number | undefined; tried: number[] } {
  const tried: number[] = [];
  const width = widest(2, room, (each) => {
    tried.push(each);
    return room - needs(each);
  });
  return { width, tried };
}

test("the width of a long list is found in few attempts", () => {
  const { width, tried } = search(23_500, (each) => 150 + 189 * each);
  assert.deepEqual({ width, attempts: tried.length }, { width: 123, attempts: 3 });
});

test("the width is near the largest that fits, however the need grows", () => {
  const room = 10_000;
  const needs: ((width: number) => number)[] = [
    (width) => width * width,
    (width) => 2_000 * Math.log2(width),
    (width) => (width < 700 ? 500 : 20_000),
    (width) => 3_000 * Math.floor(width / 50),
    (width) => Math.min(9_000, 5 * width),
    (width) => 4_900 * width,
    (width) => 5_000 - Math.min(4_000, width),
  ];
  for (const each of needs) {
    const { width = 0, tried } = search(room, each);
    assert.ok(each(width) <= room, `${each}: ${width}`);
    const isFull = each(width) >= (7 / 8) * room;
    assert.ok(isFull || each(Math.ceil((9 / 8) * width) + 1) > room || width === 2_500, `${each}: ${width}`);
    assert.ok(tried.length <= 14, `${each}: ${tried}`);
  }
});

test("without room for the least width, there is none", () => {
  assert.deepEqual(
    search(100, () => 101),
    { width: undefined, tried: [2] },
  );
});
