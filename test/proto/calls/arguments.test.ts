import assert from "node:assert/strict";
import { test } from "node:test";
import { argumentsOf, checkRequest, requestOf } from "../../../proto/calls/arguments.ts";
import { toolNamed } from "../../../proto/calls/tool-call.ts";
import { detailOf, isTroupeError, type TroupeError } from "../../../proto/errors/catalogue.ts";
import { findTool, type Tool } from "../../../proto/tools/read-tools.ts";
import { decode, encode } from "../../../proto/wire/schema.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { failedCall } from "../cases.ts";

const tool = (name: string): Tool => findTool(name) ?? assert.fail(name);
const refused = (run: () => unknown): TroupeError<"INVALID_ARGUMENT">["data"] => {
  try {
    run();
  } catch (error) {
    assert.ok(isTroupeError(error) && error.type === "INVALID_ARGUMENT", String(error));
    return error.data as TroupeError<"INVALID_ARGUMENT">["data"];
  }
  assert.fail("it was taken");
};

const TAKEN: [name: string, args: JsonObject, request: JsonObject][] = [
  ["browser_click", { ref: "e5" }, { ref: "e5" }],
  [
    "browser_click",
    { ref: "e5", button: "RIGHT", modifiers: ["Shift", "control"] },
    { ref: "e5", button: "MOUSE_BUTTON_RIGHT", modifiers: ["KEY_MODIFIER_SHIFT", "KEY_MODIFIER_CONTROL"] },
  ],
  ["browser_click", { ref: "e5", modifiers: "Alt" }, { ref: "e5", modifiers: ["KEY_MODIFIER_ALT"] }],
  ["browser_click", { target: "e5", element: "the button" }, { ref: "e5" }],
  ["browser_click", { uid: "e5", doubleClick: "true" }, { ref: "e5", doubleClick: true }],
  ["browser_snapshot", { maxTokens: "500", depth: 3, ref: null }, { maxTokens: 500, depth: 3 }],
  ["browser_type", { ref: "e5", text: "" }, { ref: "e5", text: "" }],
  ["browser_type", { ref: "e5", text: 42 }, { ref: "e5", text: "42" }],
  ["browser_wait_for", { text: "Done", time: "2.5" }, { text: "Done", time: 2.5 }],
];
for (const [name, args, request] of TAKEN) {
  test(`${name} takes ${JSON.stringify(args)}`, () => assert.deepEqual(requestOf(tool(name), args), request));
}

test("an unknown argument is refused with the nearest known one and a corrected call", () => {
  const data = refused(() => requestOf(tool("browser_click"), { ref: "e5", buton: "left" }));
  assert.equal(data.argument, "buton");
  assert.equal(data.nearest, "button");
  assert.deepEqual(data.corrected, { ref: "e5", buton: null, button: "left" });
  assert.ok(data.allowed?.includes("ref") && data.allowed.includes("role"));
  assert.deepEqual(refused(() => requestOf(tool("select_role"), { q: 1 })).allowed, ["role"]);
});

test("a missing argument is refused by its name, with an example", () => {
  const data = refused(() => requestOf(tool("browser_click"), {}));
  assert.equal(data.argument, "ref");
  assert.equal(data.example, "e5");
  const asked = refused(() => requestOf(tool("browser_ask_person"), { foo: "Enter the code" }));
  assert.match(asked.problem, /^why is missing.*no argument "foo"/);
});

const MENDED: [name: string, args: JsonObject][] = [
  ["browser_click", { ref: "e5", buton: "lfet", force: 1 }],
  ["browser_type", { ref: "e5", value: "x", sumbit: "yes" }],
  ["browser_wait_for", { query: "x", timeout: "5000" }],
  ["browser_find", { q: "x", max: "2,0" }],
  ["browser_ask_person", { reason: "Enter the code" }],
];
for (const [name, args] of MENDED) {
  test(`the corrected call of ${name} ${JSON.stringify(args)} is accepted`, () => {
    const { corrected = assert.fail() } = refused(() => requestOf(tool(name), args));
    const merged = Object.entries({ ...args, ...corrected }).filter(([, value]) => value !== null);
    const request = requestOf(tool(name), Object.fromEntries(merged));
    checkRequest(tool(name), request);
  });
}

test("all faults of a call are reported at once", () => {
  const { problem } = refused(() => requestOf(tool("browser_click"), { x: 1, button: "lfet" }));
  assert.match(problem, /ref is missing.*button of browser_click.*no argument "x"/);
});

test("an empty list or text counts as missing if the argument is required", () => {
  assert.equal(
    refused(() => checkRequest(tool("browser_select_option"), { ref: "e5", values: [] })).argument,
    "values",
  );
  assert.equal(
    refused(() => checkRequest(tool("browser_click"), { ref: "", modifiers: [] })).argument,
    "ref",
  );
  checkRequest(tool("browser_type"), { ref: "e5", text: "" });
});

const WRONG: [name: string, args: JsonObject, argument: string][] = [
  ["browser_click", { ref: { e: 5 } }, "ref"],
  ["browser_click", { ref: "e5", doubleClick: "yes" }, "doubleClick"],
  ["browser_click", { ref: "e5", button: "lfet" }, "button"],
  ["browser_snapshot", { depth: 1.5 }, "depth"],
  ["browser_snapshot", { maxTokens: "many" }, "maxTokens"],
  ["browser_snapshot", { maxTokens: 1e12 }, "maxTokens"],
  ["browser_handle_dialog", { accept: 1 }, "accept"],
  ["browser_tabs", { action: "open" }, "action"],
];
for (const [name, args, argument] of WRONG) {
  test(`${name} refuses ${JSON.stringify(args)}`, () =>
    assert.equal(refused(() => requestOf(tool(name), args)).argument, argument));
}

test("a wrong word of an enum is answered with the nearest one", () => {
  const data = refused(() => requestOf(tool("browser_click"), { ref: "e5", button: "lfet" }));
  assert.equal(data.nearest, "left");
  assert.deepEqual(data.allowed, ["left", "right", "middle"]);
});

test("a refusal never repeats a value, which may be a secret", () => {
  const data = refused(() => requestOf(tool("browser_type"), { ref: "e5", text: { password: "hunter2" } }));
  assert.doesNotMatch(JSON.stringify(data), /hunter2/);
});

const OUTSIDE: [name: string, request: Record<string, unknown>, argument: string][] = [
  ["browser_find", { text: "x", limit: 0.5 }, "limit"],
  ["browser_find", { text: "x", limit: 10_000 }, "limit"],
  ["browser_snapshot", { maxTokens: -1 }, "maxTokens"],
  ["browser_wait_for", { text: "x", time: Number.NaN }, "time"],
  ["browser_find", { regex: "a".repeat(1001) }, "regex"],
  ["browser_emulate", { colorScheme: 7 }, "colorScheme"],
  ["browser_click", { ref: "e5", modifiers: ["KEY_MODIFIER_SHIFT", 99] }, "modifiers"],
];
for (const [name, request, argument] of OUTSIDE) {
  test(`${name} keeps its bounds: ${argument} in ${JSON.stringify(request).slice(0, 60)}`, () => {
    assert.equal(refused(() => checkRequest(tool(name), request)).argument, argument);
  });
}

test("faults of a gRPC request are reported in the arguments' names", () => {
  const { request } = tool("browser_click");
  const arrived = decode<Record<string, unknown>>(
    request,
    encode(request, { ref: "e5", button: "MOUSE_BUTTON_RIGHT", modifiers: ["KEY_MODIFIER_SHIFT"] }),
  );
  assert.deepEqual(argumentsOf(tool("browser_click"), arrived), {
    ref: "e5",
    button: "right",
    modifiers: ["shift"],
  });
});

test("a meaningful zero arrives, and a meaningless one does not", () => {
  const { request } = tool("browser_snapshot");
  assert.equal(decode<{ maxTokens?: number }>(request, encode(request, { maxTokens: 0 })).maxTokens, 0);
  assert.deepEqual(argumentsOf(tool("browser_snapshot"), decode(request, encode(request, {}))), {});
});

test("a value that is no ref is not corrected to one, because only the page can tell", () => {
  for (const args of [
    { index: 5 },
    { id: "save" },
    { css: "#save" },
    { uid: "1_5" },
    { target: "Save" },
  ] as JsonObject[]) {
    const given = { ...args };
    const refused = (tool: string) => {
      try {
        requestOf(toolNamed(tool, "core"), given);
      } catch (error) {
        return detailOf(error as never, { ...failedCall, tool, arguments: given }, 0);
      }
      return assert.fail(JSON.stringify(given));
    };
    const { steps } = refused("browser_click");
    assert.deepEqual(
      [steps[0]?.tool, steps.at(-1)?.tool],
      ["browser_snapshot", undefined],
      JSON.stringify(args),
    );
    assert.equal(refused("browser_type").steps.at(-1)?.tool, undefined);
  }
  const { data } = refusalOf(() => requestOf(toolNamed("browser_click", "core"), { id: "e5" }));
  assert.deepEqual((data as { corrected?: JsonObject }).corrected, { id: null, ref: "e5" });
});

test("another server's call on an element is not answered with a call on the focused element", () => {
  const { data } = refusalOf(() => toolNamed("fill", "core", { uid: "1_5", value: "tea" }));
  const { calls } = (data as { corrected: { calls: { tool: string }[] } }).corrected;
  assert.deepEqual(
    calls.map(({ tool }) => tool),
    ["browser_snapshot"],
  );
});

function refusalOf(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (isTroupeError(error)) return error;
    throw error;
  }
  return assert.fail("nothing was refused");
}

test("another server's filter for errors is answered with the right level", () => {
  const corrected = (args: JsonObject) =>
    refused(() => requestOf(tool("browser_console_messages"), args)).corrected;
  assert.deepEqual(corrected({ onlyErrors: true }), { onlyErrors: null, level: "error" });
  assert.deepEqual(corrected({ onlyErrors: false }), { onlyErrors: null });
});
