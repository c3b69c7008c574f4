import assert from "node:assert/strict";
import { test } from "node:test";
import { toolCall, toolNamed } from "../../../proto/calls/tool-call.ts";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";

function refusal(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (isTroupeError(error)) return error;
    throw error;
  }
  return assert.fail("nothing was refused");
}

test("a tool is found by its name or an alias", () => {
  assert.equal(toolNamed("browser_click", "core").rpc, "Click");
  assert.equal(toolNamed("get_ancestors", "core").name, "resolve_container");
});

test("an unknown tool is answered with the nearest one", () => {
  const { type, data } = refusal(() => toolNamed("browser_clik", "core"));
  assert.equal(type, "UNKNOWN_TOOL");
  assert.equal((data as { nearest?: string }).nearest, "browser_click");
});

test("a tool of another profile is refused naming that profile", () => {
  const { type, data } = refusal(() => toolNamed("browser_tabs", "small"));
  assert.equal(type, "UNKNOWN_TOOL");
  assert.equal((data as { profile?: string }).profile, "core");
  assert.ok(!(data as { known: string[] }).known.includes("browser_tabs"));
});

test("clear_failures works in the full profile, and other profiles say why it does not", () => {
  assert.equal(toolNamed("clear_failures", "full").rpc, "ClearFailures");
  for (const profile of ["small", "core"] as const) {
    const { type, data } = refusal(() => toolNamed("clear_failures", profile));
    const { profile: least, instead } = data as { profile?: string; instead?: string };
    assert.deepEqual([type, least], ["UNKNOWN_TOOL", "full"]);
    assert.match(instead ?? "", /cannot be cleared in this profile/);
  }
});

test("the role is taken from the arguments, unless it is the tool's own", () => {
  const call = toolCall(toolNamed("browser_click", "core"), { ref: "e5", role: "customer" });
  assert.deepEqual([call.role, call.request], ["customer", { ref: "e5" }]);
  const select = toolCall(toolNamed("select_role", "core"), { role: "customer" });
  assert.deepEqual([select.role, select.request], [undefined, { role: "customer" }]);
  assert.equal(toolCall(toolNamed("browser_click", "core"), { ref: "e5", role: null }).role, undefined);
});

test("a role that no header can carry is an invalid argument", () => {
  for (const role of ["Käufer", "a b", "x".repeat(65), 5, ["customer", "admin"], { name: "customer" }]) {
    const { type, data } = refusal(() => toolCall(toolNamed("browser_click", "core"), { ref: "e5", role }));
    assert.equal(type, "INVALID_ARGUMENT");
    assert.equal((data as { argument: string }).argument, "role");
  }
});

test("a role in quotes, in a list of one or under a similar name is taken; an empty one is absent", () => {
  const roleOf = (args: JsonObject) =>
    toolCall(toolNamed("browser_click", "core"), { ref: "e5", ...args }).role;
  const cases: JsonObject[] = [
    { role: " 'customer' " },
    { role: ["customer"] },
    { Role: "customer" },
    { role_name: "customer" },
  ];
  for (const args of cases) assert.equal(roleOf(args), "customer");
  assert.equal(roleOf({ role: "" }), undefined);
});

test("wrong arguments are refused before anything is sent", () => {
  const click = toolNamed("browser_click", "core");
  const cases: [object, string][] = [
    [{}, "ref"],
    [{ ref: "e5", reff: 1 }, "reff"],
    [{ ref: { a: 1 } }, "ref"],
    [{ ref: "e5", button: "lefft" }, "button"],
    [{ ref: "x".repeat(70_000) }, "ref"],
  ];
  for (const [args, argument] of cases) {
    const { type, data } = refusal(() => toolCall(click, args as never));
    assert.deepEqual([type, (data as { argument: string }).argument], ["INVALID_ARGUMENT", argument]);
  }
});

test("a snapshot without a budget gets the client's; other tools do not", () => {
  const snapshot = toolNamed("browser_snapshot", "small");
  assert.equal(toolCall(snapshot, {}, 1500).request.maxTokens, 1500);
  assert.equal(toolCall(snapshot, { maxTokens: 0 }, 1500).request.maxTokens, 0);
  assert.deepEqual(toolCall(toolNamed("browser_find", "small"), { text: "x" }, 1500).request, { text: "x" });
});
