// Tests which values and keys of a reply evidence leaves out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { showsValue, withoutKeys, withoutValues } from "../../../worker/evidence/secret-values.ts";
import type { RecordedStep } from "../../../worker/recording/recorded-step.ts";

const pin = { ref: "e1", name: "Your PIN", value: "1234" };

test("the value on the line of a field for a secret is masked, in trees and in changes", () => {
  const reply = [
    '- textbox "Your PIN" [active] [ref=e1] [placeholder="a ] b"]: 1234',
    '~ - textbox "Your PIN" [ref=e1]: "1234"',
    '- textbox "Amount" [ref=e11]: 1234',
    "- paragraph: 1234",
  ];
  assert.deepEqual(withoutValues(reply.join("\n"), [pin]).split("\n"), [
    '- textbox "Your PIN" [active] [ref=e1] [placeholder="a ] b"]: •••',
    '~ - textbox "Your PIN" [ref=e1]: •••',
    ...reply.slice(2),
  ]);
});

test("a page's quoted words are no ref", () => {
  const hostile = { ...pin, name: "a [ref=e9]: b" };
  const masked = withoutValues('- textbox "a [ref=e9]: b" [ref=e1]: 1234', [hostile]);
  assert.equal(masked, '- textbox "a [ref=e9]: b" [ref=e1]: •••');
});

test("a field without a ref is found by its name, also in a text", () => {
  const disabled = { ...pin, ref: "" };
  assert.equal(
    withoutValues('- textbox "Your PIN" [disabled]: 1234', [disabled]),
    '- textbox "Your PIN" [disabled]: •••',
  );
  assert.equal(withoutValues("Your PIN: 1234 and 12345", [disabled]), "Your PIN: ••• and 12345");
  assert.equal(withoutValues("- textbox: 1234", [{ ...disabled, name: "" }]), "- textbox: •••");
});

test("without an answer of the page, the value of each field is masked", () => {
  const reply = '- textbox "Amount" [ref=e1]: 12\n- link "More" [ref=e2]: "Read: on"';
  assert.equal(showsValue(reply), true);
  assert.equal(
    withoutValues(reply, undefined),
    '- textbox "Amount" [ref=e1]: •••\n- link "More" [ref=e2]: "Read: on"',
  );
  assert.equal(showsValue('- button "Go" [ref=e1]\n- list [ref=e2]:'), false);
});

test("a long reply with open quotes is read in time", () => {
  const reply = `- textbox "${"a[ref=e1]: ".repeat(200_000)}`;
  assert.equal(withoutValues(reply, [pin]), reply);
});

test("keys of a field for secrets are masked, and keys of others stay", () => {
  const step = (hidden: RecordedStep["hidden"]) => ({ hidden }) as RecordedStep;
  const reply = "Steps done: 2 of 2\n1. Pressed 4\n2. Pressed 1 2";
  const given = { steps: [{ pressKey: { key: "4" } }, { pressKey: { key: "1 2" } }] };
  assert.equal(
    withoutKeys(reply, given, [step({ key: "secret" }), step({})]),
    "Steps done: 2 of 2\n1. Pressed •••\n2. Pressed •••",
  );
  assert.equal(withoutKeys(reply, given, [step({})]), reply);
});
