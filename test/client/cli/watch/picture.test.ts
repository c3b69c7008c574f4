import assert from "node:assert/strict";
import { test } from "node:test";
import { fitted, plainLines } from "../../../../client/cli/watch/fit.ts";
import { changedLines, picture, scrolled, topFor, type View } from "../../../../client/cli/watch/picture.ts";

const plain = (_style: unknown, text: string) => text;
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);
const view = (rest: Partial<View>): View => ({ lines: lines(50), changed: new Set(), top: 0, ...rest });
const SIZE = { rows: 10, columns: 20 };
const WORDS = { title: "title", state: "state" };

test("changed and new lines are marked, unchanged ones are not, however they move", () => {
  const cases: [before: string[], now: string[], changed: number[]][] = [
    [["a", "b"], ["a", "b"], []],
    [["a", "b"], ["a", "c"], [1]],
    [["a", "b"], ["new", "a", "b"], [0]],
    [["a", "b"], ["b", "a"], []],
    [["a"], ["a", "a"], [1]],
    [["a", "b"], ["a"], []],
    [[], ["a"], [0]],
  ];
  for (const [before, now, changed] of cases) assert.deepEqual([...changedLines(before, now)], changed);
});

test("a picture has as many lines as the screen, and none is wider", () => {
  for (const size of [SIZE, { rows: 3, columns: 1 }, { rows: 2, columns: 5 }, { rows: 200, columns: 300 }]) {
    const drawn = picture(view({ changed: new Set([1]) }), WORDS, size, plain);
    assert.equal(drawn.length, size.rows < 3 ? 1 : size.rows);
    for (const line of drawn) assert.ok([...line].length <= size.columns, line);
  }
});

test("the picture says how much is above and below, and marks changes", () => {
  const drawn = picture(view({ top: 4, changed: new Set([5]) }), WORDS, { rows: 6, columns: 60 }, plain);
  assert.deepEqual(drawn, [
    "title",
    "  line 4",
    "▌ line 5",
    "  line 6",
    "  line 7",
    "state · 4 lines above · 42 below · q quits",
  ]);
});

test("a change out of sight is scrolled to; one in sight moves nothing", () => {
  assert.equal(topFor(view({ changed: new Set([3]) }), SIZE), 0);
  assert.equal(topFor(view({ changed: new Set([30]) }), SIZE), 28);
  assert.equal(topFor(view({ changed: new Set([49]) }), SIZE), 42);
  assert.equal(topFor(view({ changed: new Set([2, 30]), top: 28 }), SIZE), 28);
  assert.equal(topFor(view({ lines: lines(3), top: 28 }), SIZE), 0);
});

test("scrolling stays within the page", () => {
  assert.equal(scrolled(view({}), -1, SIZE), 0);
  assert.equal(scrolled(view({}), 8, SIZE), 8);
  assert.equal(scrolled(view({}), Number.POSITIVE_INFINITY, SIZE), 42);
  assert.equal(scrolled(view({ top: 42 }), Number.NEGATIVE_INFINITY, SIZE), 0);
});

test("a line is cut to the columns that its characters take", () => {
  assert.equal(fitted("abc", 3), "abc");
  assert.equal(fitted("abcd", 3), "ab…");
  assert.equal(fitted("日本語", 6), "日本語");
  assert.equal(fitted("日本語", 5), "日本…");
  assert.equal(fitted("日本語", 4), "日…");
  assert.equal(fitted("e\u0301e\u0301e\u0301", 3), "e\u0301e\u0301e\u0301");
  assert.equal(fitted("👩‍👩‍👧", 4).includes("…"), true);
  assert.equal(fitted("ab", 1), "…");
});

test("nothing in a line moves the cursor, reverses or stacks text", () => {
  assert.deepEqual(plainLines("a\u001b[2Jb\u0007\u009bc\rd\te\u202ef\r\ng"), [
    "a\\u001b[2Jb\\u0007\\u009bc\\u000dd e\\u202ef",
    "g",
  ]);
  assert.equal(plainLines(`x${"\u0301".repeat(1_000)}y`)[0], "x\u0301\u0301\u0301y");
});
