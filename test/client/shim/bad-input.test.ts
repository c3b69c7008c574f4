import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorDetail } from "../../../proto/errors/catalogue.ts";
import { findTool, inProfile, type Profile } from "../../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { errorOf, textOf } from "../../harness/mcp/mcp-process.ts";
import { McpSession } from "../../harness/mcp/mcp-session.ts";
import { shared } from "../../harness/shared.ts";
import { type Received, StandIn, snapshotParts } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const daemon = shared(await StandIn.start({ Snapshot: () => snapshotParts('- button "Save" [ref=e5]') }));
const shims = {
  core: shared(await McpSession.start(daemon.address)),
  small: shared(await McpSession.start(daemon.address, { profile: "small" })),
};

/** Calls that are not tool calls: the session's hold, and the report of the shim's refusals. */
const BESIDE: ReadonlySet<string> = new Set(["WatchEvents", "ReportRefusal"]);

/** Returns the tool calls that the daemon receives during a call. */
async function sent(run: () => Promise<unknown>): Promise<Received[]> {
  const from = daemon.received.length;
  await run();
  return daemon.received.slice(from).filter(({ rpc }) => !BESIDE.has(rpc));
}

/** Acts like a model that only follows the steps: it makes each call of the plan, in order. */
async function follow(shim: McpSession, { steps }: ErrorDetail, profile: Profile): Promise<void> {
  for (const { tool, arguments: args } of steps) {
    if (tool === undefined) continue;
    assert.ok(inProfile(findTool(tool)?.profile ?? "debug", profile), tool);
    const result = await shim.call(tool, args);
    assert.equal(result.isError, undefined, textOf(result));
  }
}

const UNDERSTOOD: [tool: string, args: JsonObject, rpc: string, request: JsonObject][] = [
  ["browser_click", { target: "e5", element: "Save button" }, "Click", { ref: "e5" }],
  ["browser_click", { uid: "e5" }, "Click", { ref: "e5" }],
  ["browser_click", { selector: "@e5" }, "Click", { ref: "@e5" }],
  ["browser_click", { element: "e5" }, "Click", { ref: "e5" }],
  ["browser_click", { ref: ["e5"] }, "Click", { ref: "e5" }],
  ["browser_click", { ref: "e5", double_click: "True" }, "Click", { ref: "e5", doubleClick: true }],
  ["browser_click", { ref: "e5", tab: "", button: "", role: "" }, "Click", { ref: "e5" }],
  ["browser_click", { arguments: { ref: "e5" } }, "Click", { ref: "e5" }],
  ["browser_click", { params: '{"ref": "e5"}' }, "Click", { ref: "e5" }],
  ["browser_snapshot", { max_tokens: " 500 ", Depth: "3" }, "Snapshot", { maxTokens: 500, depth: 3 }],
  [
    "browser_select_option",
    { ref: "e5", values: '["Red", "Blue"]' },
    "SelectOption",
    { values: ["Red", "Blue"] },
  ],
  ["browser_select_option", { ref: "e5", values: "Red" }, "SelectOption", { values: ["Red"] }],
  ["browser_type", { ref: "e5", text: '["not a list"]' }, "Type", { text: '["not a list"]' }],
  ["browser_type", { ref: "e5", text: 42 }, "Type", { text: "42" }],
];
for (const [tool, args, rpc, request] of UNDERSTOOD) {
  test(`${tool} ${JSON.stringify(args)} is understood`, DEADLINE, async () => {
    const [call, ...more] = await sent(async () => {
      const result = await shims.core.call(tool, args);
      assert.equal(result.isError, undefined, textOf(result));
    });
    assert.deepEqual([call?.rpc, more], [rpc, []]);
    assert.deepEqual({ ...call?.request, ...request }, call?.request);
  });
}

const MENDED: [tool: string, args: JsonObject, rpc: string, request: JsonObject][] = [
  // Invented names.
  ["browser_click", { reff: "e5" }, "Click", { ref: "e5" }],
  ["browser_click", { ref: "e5", timeout: 5000, force: true }, "Click", { ref: "e5" }],
  ["browser_click", { ref: "e5", dblClick: true, includeSnapshot: true }, "Click", { doubleClick: true }],
  ["browser_type", { ref: "e5", value: "Ada" }, "Type", { text: "Ada" }],
  ["browser_navigate", { link: "https://x.example/" }, "Navigate", { url: "https://x.example/" }],
  [
    "browser_navigate",
    { url: "https://x.example/", waitUntil: "load" },
    "Navigate",
    { url: "https://x.example/" },
  ],
  ["browser_find", { query: "Save" }, "Find", { text: "Save" }],
  ["browser_press_key", { keys: "Enter" }, "PressKey", { key: "Enter" }],
  ["browser_wait_for", { text: "Done", timeout: 5000 }, "WaitFor", { text: "Done", time: 5 }],
  ["browser_handle_dialog", { action: "dismiss" }, "HandleDialog", { accept: false }],
  ["browser_snapshot", { tabId: "t2" }, "Snapshot", { tab: "t2" }],
  ["select_role", { roleName: "customer" }, "SelectRole", { role: "customer" }],
  // Values.
  ["browser_handle_dialog", { accept: "yes" }, "HandleDialog", { accept: true }],
  ["browser_handle_dialog", { accept: 0 }, "HandleDialog", { accept: false }],
  ["browser_click", { ref: "e5", button: "lfet", buton: "x" }, "Click", { button: "MOUSE_BUTTON_LEFT" }],
  ["browser_click", { ref: "e5", modifiers: ["Ctrl"] }, "Click", { modifiers: ["KEY_MODIFIER_CONTROL"] }],
  ["browser_find", { text: "x", limit: 10_000 }, "Find", { limit: 200 }],
  ["browser_snapshot", { maxTokens: "1,500" }, "Snapshot", { maxTokens: 1500 }],
  ["browser_snapshot", { depth: 1.5 }, "Snapshot", { depth: 2 }],
  ["browser_wait_for", { text: "x", time: "500 ms" }, "WaitFor", { time: 0.5 }],
  [
    "browser_take_screenshot",
    { type: "webp", filename: "a.webp" },
    "TakeScreenshot",
    { type: "IMAGE_TYPE_PNG" },
  ],
  ["browser_tabs", { action: "open", url: "https://x.example/" }, "Tabs", { action: "TAB_ACTION_NEW" }],
  ["browser_tabs", {}, "Tabs", { action: "TAB_ACTION_LIST" }],
  // If the caller must choose, the plan reads the page first.
  ["browser_click", {}, "Snapshot", {}],
  ["browser_click", { x: 10, y: 20 }, "Snapshot", {}],
  ["browser_tabs", { action: "select", index: 1 }, "Tabs", { action: "TAB_ACTION_LIST" }],
  // Other servers' tools.
  ["take_snapshot", { pageId: 1 }, "Snapshot", {}],
  ["click", { pageId: 1, uid: "e5", dblClick: true }, "Click", { ref: "e5", doubleClick: true }],
  ["fill", { uid: "e5", value: "Ada", includeSnapshot: true }, "Type", { ref: "e5", text: "Ada" }],
  ["navigate_page", { type: "url", url: "https://x.example/" }, "Navigate", { url: "https://x.example/" }],
  ["navigate_page", { type: "back" }, "NavigateBack", {}],
  [
    "new_page",
    { url: "https://x.example/" },
    "Tabs",
    { action: "TAB_ACTION_NEW", url: "https://x.example/" },
  ],
  ["wait_for", { text: ["Done", "Failed"], timeout: 5000 }, "WaitFor", { text: "Done", time: 5 }],
  ["handle_dialog", { action: "accept" }, "HandleDialog", { accept: true }],
  [
    "browser_verify_element_visible",
    { role: "button", accessibleName: "Save" },
    "Find",
    { ariaRole: "button", name: "Save" },
  ],
  ["mcp__troupe__browser_click", { ref: "e5" }, "Click", { ref: "e5" }],
  ["browserClick", { ref: "e5" }, "Click", { ref: "e5" }],
];
for (const [tool, args, rpc, request] of MENDED) {
  test(`${tool} ${JSON.stringify(args)} is refused with a plan that does it`, DEADLINE, async () => {
    const refused = await shims.core.call(tool, args);
    assert.equal(refused.isError, true);
    assert.match(errorOf(refused).type, /^(?:INVALID_ARGUMENT|UNKNOWN_TOOL)$/);
    const calls = await sent(() => follow(shims.core, errorOf(refused), "core"));
    assert.deepEqual(
      calls.map((call) => call.rpc),
      [rpc],
    );
    const [{ request: got } = assert.fail()] = calls;
    assert.deepEqual({ ...got, ...request }, got);
  });
}

test("a form of another server becomes one call for each field", DEADLINE, async () => {
  const fields = [
    { name: "Email", type: "textbox", target: "e1", value: "ada@example.org" },
    { name: "Agreed", type: "checkbox", target: "e2", value: "true" },
  ];
  for (const profile of ["core", "small"] as const) {
    const refused = await shims[profile].call("browser_fill_form", { fields });
    assert.equal(errorOf(refused).type, "UNKNOWN_TOOL");
    assert.doesNotMatch(textOf(refused), /ada@/);
    const calls = await sent(() => follow(shims[profile], errorOf(refused), profile));
    assert.deepEqual(
      calls.map(({ rpc, request }) => [rpc, request.ref, request.text]),
      [
        ["Type", "e1", "ada@example.org"],
        ["Click", "e2", undefined],
      ],
    );
  }
});

const SUBSTITUTED: [tool: string, args: JsonObject, rpc: string, request: JsonObject][] = [
  ["browser_select_option", { ref: "e5", values: ["Red"] }, "Type", { ref: "e5", text: "Red" }],
  ["browser_tabs", { action: "new", url: "https://x.example/" }, "Navigate", { url: "https://x.example/" }],
  ["browser_take_screenshot", {}, "Snapshot", {}],
  ["resolve_container", { ref: "e5" }, "Snapshot", { ref: "e5" }],
];
for (const [tool, args, rpc, request] of SUBSTITUTED) {
  test(
    `${tool}, which the small profile lacks, is answered with what does the same there`,
    DEADLINE,
    async () => {
      const refused = await shims.small.call(tool, args);
      assert.match(textOf(refused), /part of the core profile/);
      const [call] = await sent(() => follow(shims.small, errorOf(refused), "small"));
      assert.equal(call?.rpc, rpc);
      assert.deepEqual({ ...call?.request, ...request }, call?.request);
    },
  );
}

test(
  "two refs for one element are refused, because neither can be chosen for the model",
  DEADLINE,
  async () => {
    const refused = await shims.core.call("browser_click", { ref: "e5", target: "e6" });
    assert.match(textOf(refused), /given twice/);
    const calls = await sent(() => follow(shims.core, errorOf(refused), "core"));
    assert.deepEqual(
      calls.map(({ rpc }) => rpc),
      ["Snapshot"],
    );
  },
);

test("a megabyte in any argument is answered with a short plan", DEADLINE, async () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  const cases: JsonObject[] = [
    { ref: "x".repeat(1_000_000) },
    { ref: "e5", ["y".repeat(1_000_000)]: 1 },
    { ref: deep },
    { ref: "e5", note: deep },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`a${index}`, index])),
    { ref: "e5", text: "z".repeat(1_000_000) },
    JSON.parse('{"__proto__": {"ref": "e5"}, "constructor": 1}'),
  ];
  for (const args of cases) {
    const refused = await shims.core.call("browser_click", args);
    assert.match(errorOf(refused).type, /^(?:INVALID_ARGUMENT|UNKNOWN_REF)$/, textOf(refused).slice(0, 200));
    assert.ok(JSON.stringify(refused).length < 8000);
  }
  const unknown = await shims.core.call("w".repeat(1_000_000), { ref: deep });
  assert.equal(errorOf(unknown).type, "UNKNOWN_TOOL");
  assert.ok(JSON.stringify(unknown).length < 8000);
});

test("names that every object inherits are neither tools nor arguments", DEADLINE, async () => {
  for (const name of ["constructor", "toString", "__proto__", "", " "]) {
    const refused = await shims.core.call(name, {});
    assert.equal(errorOf(refused).type, "UNKNOWN_TOOL", name);
    assert.match(textOf(refused), /2\. Use one of these tools instead: browser_navigate, /, name);
  }
});

test("typed text is repeated in no text of a plan", DEADLINE, async () => {
  for (const [tool, args] of [
    ["fill", { uid: "e5", value: "hunter2" }],
    ["browser_type", { ref: "e5", value: "hunter2" }],
    ["browser_type", { ref: "e5", text: { password: "hunter2" } }],
    ["type_text", { text: "hunter2", submitKey: "Enter" }],
  ] as const) {
    const refused = await shims.core.call(tool, args);
    assert.equal(refused.isError, true);
    assert.doesNotMatch(textOf(refused), /hunter2/);
    assert.doesNotMatch(JSON.stringify(errorOf(refused).details), /hunter2/);
  }
});
