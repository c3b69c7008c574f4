import assert from "node:assert/strict";
import { test } from "node:test";
import { roleFlags } from "../../../../client/cli/terminal/role-flags.ts";

test("a role's name alone is the role to begin with", () => {
  assert.deepEqual(roleFlags(["--role", "customer", "--profile", "full"]), {
    current: "customer",
    definitions: [],
    rest: ["--profile", "full"],
  });
  assert.deepEqual(roleFlags(["--profile", "full", "--role=customer"]).current, "customer");
});

test("a role with a login, or several roles, define roles for a new daemon; the first is current", () => {
  assert.deepEqual(roleFlags(["--role", "a", "a.json", "https://x/", "--role", "b", "--no-autostart"]), {
    current: "a",
    definitions: [["a", "a.json", "https://x/"], ["b"]],
    rest: ["--no-autostart"],
  });
});

test("words after a role's three values stay with the other arguments, as do all without the flag", () => {
  assert.deepEqual(roleFlags(["--role", "a", "b", "c", "d"]).rest, ["d"]);
  assert.deepEqual(roleFlags(["x", "--y"]), { current: undefined, definitions: [], rest: ["x", "--y"] });
});

test("the flag without a name stays among the arguments, to be refused", () => {
  assert.deepEqual(roleFlags(["--role", "--profile", "full"]), {
    current: undefined,
    definitions: [],
    rest: ["--profile", "full", "--role"],
  });
});
