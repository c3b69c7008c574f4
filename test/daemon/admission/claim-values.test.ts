import assert from "node:assert/strict";
import { test } from "node:test";
import { claimValues } from "../../../daemon/admission/claim-values.ts";

const found: [what: string, claims: object, name: string, values: readonly string[] | undefined][] = [
  ["a list of texts", { groups: ["qa", "dev"] }, "groups", ["qa", "dev"]],
  ["one text, spaces included", { groups: "qa admin" }, "groups", ["qa admin"]],
  ["a scope, separated by spaces", { scope: "customer  visitor" }, "scope", ["customer", "visitor"]],
  ["a claim within another", { realm_access: { roles: ["qa"] } }, "realm_access.roles", ["qa"]],
  ["a name that holds dots", { "https://shop.example/roles": ["qa"] }, "https://shop.example/roles", ["qa"]],
  ["no such claim", {}, "groups", []],
  ["null", { groups: null }, "groups", []],
  ["an empty list", { groups: [] }, "groups", []],
  ["an inherited property", {}, "constructor.name", []],
  ["a number", { groups: 7 }, "groups", undefined],
  ["true", { groups: true }, "groups", undefined],
  ["an object", { groups: { qa: true } }, "groups", undefined],
  ["a list of other things", { groups: ["qa", 7] }, "groups", undefined],
  ["a list of lists", { groups: [["qa"]] }, "groups", undefined],
];

for (const [what, claims, name, values] of found) {
  test(`the values of a claim: ${what}`, () => assert.deepEqual(claimValues(claims, name), values));
}
