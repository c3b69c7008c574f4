import assert from "node:assert/strict";
import { test } from "node:test";
import { templateOf, unknownName } from "../../../worker/secrets/placeholders.ts";

const KNOWN = { role: "customer", names: ["password", "code"] };
const NONE = { role: "customer", names: [] };

test("a text's placeholders are filled, and its other braces stay", () => {
  const template = templateOf("{{customer.password}} {{name}} {{ customer.code }}!", KNOWN);
  assert.deepEqual(template?.names, ["password", "code"]);
  const values = new Map([
    ["password", "{{customer.code}}$&"],
    ["code", "1"],
  ]);
  assert.equal(template?.filled(values), "{{customer.code}}$& {{name}} 1!");
});

test("a text without placeholders of the role has no template", () => {
  for (const text of ["", "{{name}}", "{{admin.password}}", "{{customer.password}"])
    assert.equal(templateOf(text, KNOWN), undefined, text);
});

test("a name that the role does not have is found, with the nearest one", () => {
  assert.deepEqual(unknownName("{{customer.pasword}}", KNOWN), { nearest: "{{customer.password}}" });
  assert.deepEqual(unknownName("{{code}}", KNOWN), { nearest: "{{customer.code}}" });
  assert.deepEqual(unknownName("{{admin.token}}", KNOWN), { nearest: undefined });
  assert.deepEqual(unknownName("{{customer.password}}", NONE), { nearest: undefined });
});

test("braces that name no credential are a text like others", () => {
  assert.equal(unknownName("{{name}} {{customer.password}}", KNOWN), undefined);
  assert.equal(unknownName("{{user.name}}", NONE), undefined);
});
