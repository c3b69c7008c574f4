import assert from "node:assert/strict";
import { test } from "node:test";
import { withinBudget } from "../../../worker/snapshot/budget.ts";

const lines = Array.from({ length: 1_000 }, (_, row) => `- button "Row ${row}" [ref=e${row}]`);
const around = { head: ['Page "Rows" http://example.com/', ""], tail: ["", "HTTP status: 404"] };

test("a text that fits is shown whole and unchanged", () => {
  const text = withinBudget({ ...around, tree: lines.slice(0, 3).join("\n") }, 6_000);
  assert.equal(text, [...around.head, ...lines.slice(0, 3), ...around.tail].join("\n"));
});

test("a text that does not fit is cut at a line, a first line says so, and its surroundings stay", () => {
  for (const maxTokens of [200, 500, 1_500, 6_000]) {
    const text = withinBudget({ ...around, tree: lines.join("\n") }, maxTokens);
    assert.ok(text.length <= maxTokens * 4, `${text.length} characters for ${maxTokens} tokens`);
    // The budget is used up to less than one line.
    assert.ok(text.length > maxTokens * 4 - 60, `${text.length} characters for ${maxTokens} tokens`);
    const shown = text.split("\n").slice(around.head.length + 1, -around.tail.length);
    assert.deepEqual(shown, lines.slice(0, shown.length));
    assert.ok(text.includes(`… ${1_000 - shown.length} of 1000 lines left out: `));
    assert.ok(text.endsWith("HTTP status: 404"));
  }
});

test("budget 0 lifts the bound, and the smallest budget still shows something", () => {
  assert.equal(
    withinBudget({ ...around, tree: lines.join("\n") }, 0),
    [...around.head, ...lines, ...around.tail].join("\n"),
  );
  assert.match(withinBudget({ ...around, tree: lines.join("\n") }, 1), /Row 0/);
});

test("a single line that is too long shows its beginning", () => {
  const text = withinBudget({ head: [], tree: `- text: ${"x".repeat(100_000)}`, tail: [] }, 500);
  assert.ok(text.length <= 2_000);
  assert.match(text, /\n- text: x{500,}…$/);
});
