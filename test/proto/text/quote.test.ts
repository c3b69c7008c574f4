import assert from "node:assert/strict";
import { test } from "node:test";
import { oneLine, quote } from "../../../proto/text/quote.ts";

test("a sentence with foreign words stays on one line, and shows every control", () => {
  assert.equal(
    oneLine("Tool: a\u001b[31m\u0000\tb\r\n  c\u202ed"),
    "Tool: a\\u001b[31m\\u0000\\u0009b c\\u202ed",
  );
});

test("a quoted text also shows every control, as JSON does", () => {
  assert.equal(quote("a\u001b\tb\u202e"), '"a\\u001b\\tb\\u202e"');
});
