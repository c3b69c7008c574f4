import assert from "node:assert/strict";
import { test } from "node:test";
import { fairShare } from "../../../proto/machine/fair-share.ts";

const shared = (text: string, max: number) => fairShare([...text], max, (letter) => letter).join("");

test("entries that fit are kept unchanged", () => {
  assert.equal(shared("", 3), "");
  assert.equal(shared("aab", 3), "aab");
});

test("the owner with the most entries loses its oldest", () => {
  assert.equal(shared("baaaa", 3), "baa");
  assert.equal(shared("aaaab", 3), "aab");
  assert.equal(shared("aaaabbbc", 5), "aabbc");
  assert.equal(shared("aaaabbbc", 6), "aabbbc");
});

test("if all owners have equally many, the oldest entry goes", () => {
  assert.equal(shared("abcd", 3), "bcd");
  assert.equal(shared("abab", 2), "ab");
});
