// Tests the reading of texts that a page wrote to stop it, or to hide what stands in them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Redactor } from "../../../worker/secrets/redactor.ts";

const SECRET = "correct horse 9";
const redactor = new Redactor();
redactor.watchFor(SECRET);

test("escapes that are nested deeply are read", () => {
  const nested = `${"%3".repeat(50_000)}4`;
  assert.equal(redactor.text(nested), nested);
  // Each `%25` is a percent sign, so all this is the letter c.
  assert.equal(redactor.text(`<<%${"25".repeat(50_000)}63orrect horse 9>>`), "<<•••>>");
});

test("a secret is masked behind characters that stand for many", () => {
  const sentences = "\ufdfa".repeat(1_000);
  assert.equal(redactor.text(`${sentences} ${SECRET}`), `${sentences} •••`);
});

test("an escaped character that stands for several is read as they are", () => {
  const masked = new Redactor();
  masked.watchFor("office hours");
  assert.equal(masked.text("<<o\\ufb03ce hours>>"), "<<•••>>");
});
