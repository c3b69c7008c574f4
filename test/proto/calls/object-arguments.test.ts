// Tests arguments that hold the arguments of other tools: the steps of browser_steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { argumentsOf } from "../../../proto/calls/arguments.ts";
import { toolCall, toolNamed } from "../../../proto/calls/tool-call.ts";
import type { ErrorData } from "../../../proto/errors/catalogue.ts";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import { decode, encode } from "../../../proto/wire/schema.ts";
import type { Json, JsonObject } from "../../../proto/wire/struct.ts";

const tool = toolNamed("browser_steps", "core");

/** Returns the arguments as a worker reads them. */
function read(steps: Json, more: JsonObject = {}): JsonObject {
  const { request } = toolCall(tool, { steps, ...more });
  return argumentsOf(tool, decode(tool.request, encode(tool.request, request)));
}

function refused(steps: Json, more: JsonObject = {}): ErrorData["INVALID_ARGUMENT"] {
  try {
    read(steps, more);
  } catch (error) {
    if (isTroupeError(error) && error.type === "INVALID_ARGUMENT")
      return error.data as ErrorData["INVALID_ARGUMENT"];
    throw error;
  }
  return assert.fail("the steps were taken");
}

test("each step holds the arguments of one tool", () => {
  const steps: Json = [
    { type: { ref: "e4", text: "" } },
    { click: { ref: "e7", modifiers: ["shift"] }, expectNavigation: true },
    { selectOption: { ref: "e1", values: ["A", "B"] } },
    { pressKey: { key: "Enter" } },
    { scroll: { direction: "down", amount: 10 } },
    { waitFor: { ref: "e2", state: "gone", time: 0 } },
  ];
  assert.deepEqual(read(steps, { until: { textGone: "Saving" } }), { steps, until: { textGone: "Saving" } });
});

test("steps as models write them are understood", () => {
  const click = [{ click: { ref: "e5" } }];
  for (const written of [
    '[{"click":{"ref":"e5"}}]',
    { click: { ref: "e5" } },
    [{ browser_click: { ref: "e5" } }],
    [{ action: "click", ref: "e5" }],
    [{ tool: "browser_click", arguments: { ref: "e5" } }],
  ])
    assert.deepEqual(read(written).steps, click);
  assert.deepEqual(read([{ select_option: { ref: "e1", values: "A" } }]).steps, [
    { selectOption: { ref: "e1", values: ["A"] } },
  ]);
});

test("a wrong step is named, and corrected if it is certain what was meant", () => {
  const ok = { click: { ref: "e1" } };
  const { problem, corrected } = refused([ok, { click: { ref: "e5", buton: "left" } }]);
  assert.match(problem, /^step 2: browser_click has no argument "buton"$/);
  assert.deepEqual(corrected, { steps: [ok, { click: { ref: "e5", button: "left" } }] });
  assert.match(refused([ok, { click: {} }]).problem, /^step 2: ref is missing/);
  assert.equal(refused([ok, {}]).problem, "step 2: it has no action");
  assert.equal(
    refused([{ click: { ref: "e1" }, type: { text: "" } }]).problem,
    "step 1: it has click and type",
  );
  assert.match(refused([{ fly: { ref: "e1" } }]).problem, /^step 1: there is no "fly" in it/);
  assert.equal(refused(["click e5"]).problem, "step 1: it must be an object");
  assert.equal(
    refused([{ scroll: { direction: "down", amount: 0 } }]).hint,
    "with amount at least 1 in step 1",
  );
  assert.match(refused([ok], { until: { texts: 1, ref: {} } }).problem, /^until: /);
});

test("steps are bounded, and name no tab of their own", () => {
  assert.match(
    refused(Array.from({ length: 21 }, () => ({ click: { ref: "e1" } }))).problem,
    /21 items, at most 20/,
  );
  assert.match(refused([]).problem, /steps is missing/);
  assert.match(refused([{ click: { ref: "e1", tab: "t2" } }]).problem, /no argument "tab"/);
  const deep = [{ click: { ref: { a: { b: { c: { d: {} } } } } } }];
  assert.match(refused(deep).problem, /must be/);
});

test("the fields of a form are read as other servers write them, and a wrong one is named", () => {
  const form = toolNamed("browser_fill_form", "full");
  const readForm = (fields: Json) => {
    const { request } = toolCall(form, { fields });
    return argumentsOf(form, decode(form.request, encode(form.request, request)));
  };
  assert.deepEqual(
    readForm([
      { name: "Age", type: "textbox", target: "e5", value: 42 },
      { ref: "e6", value: true },
      { uid: "e7", value: ["a", "b"] },
      { ref: "e8", value: "" },
    ]),
    {
      fields: [
        { ref: "e5", value: ["42"] },
        { ref: "e6", value: ["true"] },
        { ref: "e7", value: ["a", "b"] },
        { ref: "e8", value: [""] },
      ],
    },
  );
  for (const [field, problem] of [
    [{ ref: "e5" }, /field 1: value is missing/],
    [{ value: "x" }, /field 1: ref is missing/],
    ["e5", /field 1: it must be an object/],
    [{ ref: "e5", value: {} }, /field 1: value of fields must be/],
  ] as const)
    assert.throws(
      () => readForm([field]),
      (error) => isTroupeError(error) && problem.test((error.data as { problem: string }).problem),
    );
});
