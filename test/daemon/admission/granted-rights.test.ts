import assert from "node:assert/strict";
import { test } from "node:test";
import { grantedRights } from "../../../daemon/admission/granted-rights.ts";

const qa = { value: "qa", roles: ["visitor"], profiles: ["core" as const], control: "none" as const };
const lead = {
  value: "lead",
  roles: ["customer"],
  profiles: ["full" as const],
  control: "read" as const,
  sessions: 4,
  rate: { count: 20, perMs: 1000 as const },
};
const slow = { ...lead, value: "slow", sessions: 9, rate: { count: 100, perMs: 60_000 as const } };
const all = { value: "all", control: "write" as const };

test("without grants, the values are roles and give no control", () => {
  assert.deepEqual(grantedRights(["visitor", "other"], undefined), {
    roles: ["visitor", "other"],
    control: "none",
  });
});

test("with grants, other values give nothing, even if a role has their name", () => {
  assert.deepEqual(grantedRights(["visitor"], [qa]), { roles: [], control: "none" });
});

test("several grants are added up", () => {
  const { roles, profiles, control } = grantedRights(["lead", "qa"], [qa, lead]);
  assert.deepEqual([roles, profiles, control], [["visitor", "customer"], ["core", "full"], "read"]);
});

test("the larger limit holds, and no limit is the largest", () => {
  assert.deepEqual(grantedRights(["lead", "slow"], [lead, slow]).rate, lead.rate);
  assert.equal(grantedRights(["lead", "slow"], [lead, slow]).sessions, 9);
  const { rate, sessions } = grantedRights(["lead", "qa"], [lead, qa]);
  assert.deepEqual([rate, sessions], [undefined, undefined]);
});

test("a grant without roles and profiles gives all of them", () => {
  const { roles, profiles, control } = grantedRights(["qa", "all"], [qa, all]);
  assert.deepEqual([roles, profiles, control], [undefined, undefined, "write"]);
});
