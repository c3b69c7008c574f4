import assert from "node:assert/strict";
import { test } from "node:test";
import { labelsIn } from "../../../worker/refs/label-text.ts";

test("a name in place of a ref is read in the forms that models write", () => {
  for (const text of [
    "button:Save",
    "button: Save",
    'button "Save"',
    'role=button[name="Save"]',
    'button:has-text("Save")',
    "getByRole('button', { name: 'Save' })",
    "Save button",
  ])
    assert.deepEqual(labelsIn(text)[0], { role: "button", name: "Save" }, text);
  for (const text of ["Save", '"Save"', "text=Save", "name: Save"])
    assert.deepEqual(labelsIn(text)[0], { name: "Save" }, text);
});

test("a word that looks like a role may be part of the name", () => {
  assert.deepEqual(labelsIn("total: 5").at(-1), { name: "total: 5" });
  assert.deepEqual(labelsIn(" "), []);
  assert.deepEqual(labelsIn("x".repeat(300)), []);
});
