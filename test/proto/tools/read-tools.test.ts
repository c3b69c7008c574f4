import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "../../../proto/text/nearest.ts";
import { findTool, PROFILES, tools, toolsOf } from "../../../proto/tools/read-tools.ts";

test("the core profile offers the contract's tools", () => {
  assert.deepEqual(
    toolsOf("core").map(({ name }) => name),
    [
      ...[
        "browser_navigate",
        "browser_navigate_back",
        "browser_snapshot",
        "browser_find",
        "browser_click",
        "browser_type",
      ],
      ...[
        "browser_select_option",
        "browser_press_key",
        "browser_scroll",
        "browser_wait_for",
        "browser_steps",
        "browser_handle_dialog",
        "browser_tabs",
      ],
      ...[
        "resolve_container",
        "inspect_pattern",
        "extract_anchors",
        "select_role",
        "list_current_roles",
        "get_failures",
      ],
      ...["browser_console_messages", "browser_take_screenshot"],
    ],
  );
});

test("the small profile offers at most nine tools, and each profile those of the one before", () => {
  assert.equal(toolsOf("small").length, 9);
  for (const [index, profile] of PROFILES.slice(1).entries()) {
    const all = new Set(toolsOf(profile));
    assert.ok(toolsOf(PROFILES[index] ?? "small").every((tool) => all.has(tool)));
  }
});

test("every tool and argument is described", () => {
  for (const { name, description, arguments: args } of tools()) {
    assert.match(description, /^[A-Z].*[.?)]$/, name);
    for (const argument of args) assert.ok(argument.description.length > 3, `${name}.${argument.name}`);
  }
});

test("an alias finds its tool and is not listed", () => {
  assert.equal(findTool("get_ancestors")?.name, "resolve_container");
  assert.equal(
    tools().some(({ name }) => name === "get_ancestors"),
    false,
  );
  assert.equal(findTool("browser_clik"), undefined);
});

test("an rpc's name is its tool's in CamelCase, without browser_", () => {
  for (const { name, rpc } of tools()) {
    const camel = name
      .replace(/^browser_/, "")
      .replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
    assert.equal(rpc, camel);
  }
});

test("words of an enum are its values without the prefix", () => {
  const button = findTool("browser_click")?.arguments.find(({ name }) => name === "button");
  assert.deepEqual(button?.allowed, ["left", "right", "middle"]);
});

const NEAREST: [word: string, candidates: string[], found: string | undefined][] = [
  ["costumer", ["visitor", "customer"], "customer"],
  ["Customer", ["visitor", "customer"], "customer"],
  ["click", ["browser_click", "browser_type"], "browser_click"],
  ["lfet", ["left", "right"], "left"],
  ["Foo", ["F1", "Enter"], undefined],
  ["ADMIN", ["admin"], "admin"],
  ["Nope", ["One", "Two"], undefined],
  ["browser_evaluate", ["browser_navigate", "browser_click"], undefined],
  ["c", ["b", "visitor"], undefined],
  ["zebra", ["visitor", "customer"], undefined],
  ["", ["visitor"], undefined],
  ["x".repeat(100_000), ["visitor"], undefined],
  [
    `Delivery ${"a".repeat(80)} Noth`,
    [`Delivery ${"a".repeat(80)} North`, "Delivery"],
    `Delivery ${"a".repeat(80)} North`,
  ],
  [
    `${"a".repeat(80)} T`,
    [`${"a".repeat(80)} North`, `${"a".repeat(80)} South`, `${"b".repeat(80)} North`],
    undefined,
  ],
  [`${"a".repeat(80)} No…`, [`${"a".repeat(80)} North`], `${"a".repeat(80)} North`],
];
for (const [word, candidates, found] of NEAREST) {
  test(`nearest to ${JSON.stringify(word.slice(0, 20))} is ${found ?? "nothing"}`, () =>
    assert.equal(nearest(word, candidates), found));
}
