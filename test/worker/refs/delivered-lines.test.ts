import assert from "node:assert/strict";
import { test } from "node:test";
import { DeliveredLines } from "../../../worker/refs/delivered-lines.ts";

test("a ref is remembered by role and name, from the newest reply that showed it", () => {
  const lines = new DeliveredLines();
  lines.add('- heading "Cart"\n  - button "Save \\"all\\"" [ref=e2]\n- link "Help" [ref=f1_e3] [url=/help]');
  assert.deepEqual(lines.of("e2"), { role: "button", name: 'Save "all"' });
  assert.deepEqual(lines.of("f1_e3"), { role: "link", name: "Help" });
  lines.add('changed since snapshot 1:\n~ - button "Saved" [ref=e2]');
  assert.deepEqual(lines.of("e2"), { role: "button", name: "Saved" });
});

test("a line for two elements, for none, or without a name is not remembered", () => {
  const lines = new DeliveredLines();
  lines.add(
    '- button "Delete" [ref=e1]\n- button "Delete" [ref=e2]\n- listitem [ref=e3]: Ada\n- "a [ref=e4]"',
  );
  for (const ref of ["e1", "e3", "e4", "e9"]) assert.equal(lines.of(ref), undefined, ref);
});

test("only the newest replies are kept", () => {
  const lines = new DeliveredLines();
  lines.add('- button "Old" [ref=e1]');
  for (let reply = 0; reply < 11; reply++)
    lines.add(`- button "New" [ref=e2]\n- text: ${"x".repeat(10_000)}`);
  assert.equal(lines.of("e1"), undefined);
  assert.deepEqual(lines.of("e2"), { role: "button", name: "New" });
});

test("the lines for another worker hold only role, name and ref", () => {
  const lines = new DeliveredLines();
  lines.add(
    'Page "Cart"\n- textbox "Card" [ref=e1] [required]: 4111\n- listitem [ref=e2]: Ada\n- text: secret\n- heading "Cart"',
  );
  lines.add("Nothing changed on the page.");
  const kept = lines.condensed();
  assert.deepEqual(kept, ['- textbox "Card" [ref=e1]\n[ref=e2]\n- heading "Cart"']);
  const restored = new DeliveredLines(kept);
  assert.deepEqual(restored.of("e1"), { role: "textbox", name: "Card" });
  assert.deepEqual(restored.refs(), ["e1", "e2"]);
});
