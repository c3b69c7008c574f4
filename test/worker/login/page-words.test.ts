import assert from "node:assert/strict";
import { test } from "node:test";
import { newWords } from "../../../worker/login/page-words.ts";

const words = (alerts: string[], others: string[] = []) => ({ alerts, others });

test("new alerts are the page's words, or else its new texts", () => {
  const before = words(["Cookies are used"], ["Log in", "Password"]);
  assert.deepEqual(newWords(before, words(["Cookies are used", "Wrong"], ["Log in", "Try again"]), []), [
    '"Wrong"',
  ]);
  assert.deepEqual(newWords(before, words(["Cookies are used"], ["Log in", "Try again"]), []), [
    '"Try again"',
  ]);
  assert.deepEqual(newWords(before, before, []), []);
});

test("a page that could not be read before or now is not quoted", () => {
  assert.deepEqual(newWords(undefined, words(["Wrong"]), []), []);
  assert.deepEqual(newWords(words([]), undefined, []), []);
});

test("words are quoted and bounded, and hold no secret that was typed", () => {
  assert.deepEqual(newWords(words([]), words(["s3cret is\nwrong"]), ["s3cret", ""]), [
    '"[masked] is\\nwrong"',
  ]);
  const many = newWords(words([]), words(["a", "a", "b", "c", "x".repeat(9_000)]), []);
  assert.deepEqual(many, ['"a"', '"b"', '"c"']);
  assert.ok((newWords(words([]), words(["x".repeat(9_000)]), [])[0] ?? "").length < 210);
});
