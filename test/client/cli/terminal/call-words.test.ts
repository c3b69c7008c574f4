import assert from "node:assert/strict";
import { test } from "node:test";
import { callArguments } from "../../../../client/cli/terminal/call-words.ts";
import { findTool } from "../../../../proto/tools/read-tools.ts";

const toolNamed = (name: string) => findTool(name) ?? assert.fail(`no tool ${name}`);
const click = toolNamed("browser_click");
const select = toolNamed("browser_select_option");

test("key=value gives an argument, up to the first equals sign", () => {
  assert.deepEqual(callArguments(click, ["ref=e5", "doubleClick=true"]), { ref: "e5", doubleClick: "true" });
  assert.deepEqual(callArguments(toolNamed("browser_navigate"), ["url=https://x/?a=b=c"]), {
    url: "https://x/?a=b=c",
  });
  assert.deepEqual(callArguments(toolNamed("browser_type"), ["text="]), { text: "" });
});

test("a list is a repeated key, or JSON", () => {
  assert.deepEqual(callArguments(select, ["ref=e5", "values=Red", "values=Blue"]).values, ["Red", "Blue"]);
  assert.deepEqual(callArguments(select, ["values=Red"]).values, ["Red"]);
  assert.deepEqual(callArguments(select, [`values=["Red","Blue"]`]).values, ["Red", "Blue"]);
});

test("a value of an object is JSON; a text may begin with a bracket", () => {
  const steps = toolNamed("browser_steps");
  assert.deepEqual(callArguments(steps, [`steps=[{"click":{"ref":"e5"}}]`]).steps, [
    { click: { ref: "e5" } },
  ]);
  assert.deepEqual(callArguments(steps, [`steps={"click":{"ref":"e5"}}`, `steps={"scroll":{}}`]).steps, [
    { click: { ref: "e5" } },
    { scroll: {} },
  ]);
  assert.deepEqual(callArguments(steps, [`until={"text":"Done"}`]).until, { text: "Done" });
  const type = toolNamed("browser_type");
  assert.equal(callArguments(type, ["text={{customer.password}}"]).text, "{{customer.password}}");
  assert.equal(callArguments(type, ["text=[draft]"]).text, "[draft]");
  assert.deepEqual(callArguments(select, ["values=[none]"]).values, ["[none]"]);
  assert.throws(() => callArguments(steps, ["steps=[{click}]"]), { exitCode: 64, message: /not JSON/ });
  assert.throws(() => callArguments(select, [`values=["Red"`]), { exitCode: 64 });
});

test("names that every object has are names like any other", () => {
  assert.deepEqual(callArguments(undefined, ["constructor=1"]), { constructor: "1" });
});

test("key:=JSON and a whole JSON object are taken as they are", () => {
  assert.deepEqual(callArguments(click, ["doubleClick:=true"]), { doubleClick: true });
  assert.deepEqual(callArguments(click, [`{"ref":"e5"}`, "button=right"]), { ref: "e5", button: "right" });
});

test("arguments that make no sense are a usage error", () => {
  assert.throws(() => callArguments(click, ["e5"]), /no argument: write key=value, such as ref=e5/);
  assert.throws(() => callArguments(click, ["ref=e5", "ref=e6"]), /given twice/);
  assert.throws(() => callArguments(click, ["doubleClick:=tru"]), /not JSON/);
  assert.throws(() => callArguments(click, ["{]"]), { exitCode: 64 });
});
