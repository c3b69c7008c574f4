import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../../daemon/admission/client.ts";
import {
  checkControl,
  checkRole,
  checkTool,
  profileFor,
  roleFor,
  rolesOf,
} from "../../../daemon/admission/rights.ts";
import { findTool, type Tool } from "../../../proto/tools/read-tools.ts";

const client: Client = { name: "ci", control: "none" };
const ROLES = ["visitor", "customer", "admin"];

test("a client may use its roles, and sees no other", () => {
  const limited = { ...client, roles: ["admin", "visitor"] };
  assert.deepEqual(rolesOf(limited, ROLES), ["visitor", "admin"]);
  assert.deepEqual(rolesOf(client, ROLES), ROLES);
  assert.equal(roleFor(limited, "admin", ROLES), "admin");
  assert.throws(() => roleFor(limited, "customer", ROLES), {
    type: "PERMISSION_DENIED",
    data: { what: "role 'customer'", reason: "This client may use visitor, admin." },
  });
  assert.throws(() => roleFor(limited, "custome", ROLES), {
    type: "UNKNOWN_ROLE",
    data: { role: "custome", roles: ["visitor", "admin"] },
  });
  assert.throws(() => roleFor({ ...client, roles: [] }, "admin", ROLES), { type: "PERMISSION_DENIED" });
});

test("changed rights take a role from a client, the role's own end does not", () => {
  const limited = { ...client, roles: ["admin"] };
  checkRole(limited, "admin", ROLES);
  checkRole(limited, "customer", ["admin"]);
  assert.throws(() => checkRole(limited, "customer", ROLES), { type: "PERMISSION_DENIED" });
});

test("a client may use its profiles and the smaller ones in them, no others", () => {
  const core = { ...client, profiles: ["core" as const] };
  const small = { ...client, profiles: ["small" as const] };
  const click = findTool("browser_click") as Tool;
  const reload = { ...click, name: "browser_reload", profile: "full" as const };
  assert.equal(profileFor(client, undefined), "core");
  assert.equal(profileFor(client, "debug"), "debug");
  assert.equal(profileFor(small, undefined), "small");
  assert.equal(profileFor(core, "small"), "small");
  assert.throws(() => profileFor(core, "full"), { type: "PERMISSION_DENIED" });
  checkTool(core, click);
  checkTool(client, reload);
  assert.throws(() => checkTool(core, reload), {
    type: "PERMISSION_DENIED",
    data: { what: "browser_reload", reason: "It belongs to the profile full; this client may use core." },
  });
});

test("calls that change the daemon need the right to write", () => {
  for (const control of ["none", "read"] as const) {
    checkControl({ ...client, control }, "ListSessions");
    for (const rpc of ["RestartRole", "ClearFailures", "ReloadConfig", "Drain"] as const)
      assert.throws(() => checkControl({ ...client, control }, rpc), { type: "PERMISSION_DENIED" });
  }
  checkControl({ ...client, control: "write" }, "Drain");
});
