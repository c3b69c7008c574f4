// Tests how exported steps are written as a file: the steps that cannot be played are left out, with the reason.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readRecording, recordingText } from "../../../../client/cli/recording/recording-file.ts";
import type { JsonObject } from "../../../../proto/wire/struct.ts";

const locators = [{ css: "#a", parts: [{ by: "role", role: "textbox", name: "Password" }] }];
const target = { role: "textbox", name: "Password", frames: [], locators };

/** Returns the steps that a file has for these exported ones. */
function written(...steps: JsonObject[]) {
  const recorded = steps.map((step) => ({
    tab: "t1",
    urlBefore: "",
    args: {},
    targets: {},
    outcome: {},
    ...step,
  }));
  return readRecording(recordingText({ role: "shop", steps: recorded }).text, "file").steps;
}

test("a step without an argument that it needs is not played", () => {
  const [evaluate, storage, upload, slider, click, unnamed] = written(
    { tool: "browser_evaluate", hidden: { function: "not kept" } },
    { tool: "browser_storage", args: { action: "set", name: "a" }, hidden: { value: "not kept" } },
    { tool: "browser_file_upload", targets: { ref: target }, hidden: { files: "not kept" } },
    { tool: "browser_fill_form" },
    { tool: "browser_click" },
    { tool: "browser_type", args: { text: "a" }, targets: { ref: { ...target, locators: [] } } },
  );
  assert.equal(evaluate?.skip, "its function is not recorded");
  assert.equal(storage?.skip, "its value is not recorded");
  assert.equal(upload?.skip, "its files is not recorded");
  assert.equal(slider?.skip, "its fields is not recorded");
  assert.equal(click?.skip, "its ref is not recorded");
  assert.equal(unnamed?.skip, "no locator found its element");
});

test("a secret that was typed at once is a variable, and one that was typed key by key is left out", () => {
  const [typed, key, tab] = written(
    { tool: "browser_type", hidden: { text: "secret" }, targets: { ref: target } },
    { tool: "browser_press_key", hidden: { key: "secret" } },
    { tool: "browser_press_key", args: { key: "Tab" } },
  );
  assert.deepEqual([typed?.arguments, typed?.skip], [{ text: { secret: "SHOP_PASSWORD" } }, undefined]);
  assert.match(key?.skip ?? "", /key by key/);
  assert.deepEqual([tab?.arguments, tab?.skip], [{ key: "Tab" }, undefined]);
});

test("the label of a choice is no argument", () => {
  const [step] = written({
    tool: "browser_select_option",
    args: { values: ["1"] },
    hidden: { chosen: "secret" },
    targets: { ref: target },
  });
  assert.deepEqual([step?.arguments, step?.skip], [{ values: ["1"] }, undefined]);
});

test("an address that lacks a value is read from the environment", () => {
  const [step] = written({
    tool: "browser_navigate",
    args: { url: "http://shop.test/?state=HIDDEN&q=shoes" },
  });
  assert.deepEqual(step?.arguments, { url: { secret: "SHOP_ADDRESS_STATE" } });
});
