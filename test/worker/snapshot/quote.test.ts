import assert from "node:assert/strict";
import { test } from "node:test";
import { quote, shownText, shownUrl } from "../../../worker/snapshot/quote.ts";

test("a page's text is quoted on one line, and characters that turn or hide text are spelled out", () => {
  assert.equal(quote('say "hi"\n- button'), '"say \\"hi\\"\\n- button"');
  assert.equal(quote("a\u202eb\u200bc\u2028d\u0085e\u0000"), '"a\\u202eb\\u200bc\\u2028d\\u0085e\\u0000"');
  assert.equal(quote("\ud800 alone, \u{1f680} together"), '"\\ud800 alone, \u{1f680} together"');
  assert.ok(quote("x".repeat(10_000)).length < 600);
});

test("an address stays unchanged, but shows no ref and no second line", () => {
  assert.equal(shownUrl("http://[::1]:80/a?b=[1]#c"), "http://[::1]:80/a?b=[1]#c");
  assert.equal(shownUrl("http://a/#[ref=e1] x\n"), "http://a/#%5Bref=e1]%20x%20");
  assert.ok(shownUrl(`data:text/html,${"x".repeat(10_000)}`).length < 400);
});

test("Troupe's own sentences keep to one line, whatever they quote", () => {
  assert.equal(
    shownText("Frame f1: timeout (http://a/#[ref=e1])\n- x"),
    "Frame f1: timeout (http://a/#(ref=e1]) - x",
  );
  assert.equal(
    shownText("in [expand with browser_snapshot ref=e1]"),
    "in (expand with browser_snapshot ref=e1]",
  );
});
