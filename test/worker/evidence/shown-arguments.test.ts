// How evidence shows the arguments of calls: without secrets, and with what the recorded steps know.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findTool, type Tool } from "../../../proto/tools/read-tools.ts";
import { shownArguments } from "../../../worker/evidence/shown-arguments.ts";
import type { RecordedStep } from "../../../worker/recording/recorded-step.ts";

const tool = (name: string) => findTool(name) as Tool;
const step = (name: string, more: Partial<RecordedStep> = {}): RecordedStep => ({
  tool: name,
  tab: "t1",
  urlBefore: "",
  args: {},
  targets: {},
  hidden: {},
  outcome: { url: "", moved: false, shown: [] },
  ...more,
});
const on = (role: string, name: string) => ({
  ref: { role, name, tag: "input", frames: [], locators: [], labelled: false },
});

test("refs, numbers and choices are shown, and an address without its secrets", () => {
  assert.deepEqual(shownArguments(tool("browser_click"), { ref: "e5", doubleClick: true, tab: "t1" }, []), {
    ref: "e5",
    doubleClick: true,
  });
  const shown = shownArguments(tool("browser_navigate"), { url: "https://ada:pw@a.test/?token=abc&q=1" }, []);
  assert.deepEqual(shown, { url: "https://a.test/?token=HIDDEN&q=1" });
});

test("a typed text is shown only if its step knows that it is no secret", () => {
  const typed = { ref: "e5", text: "42" };
  const type = tool("browser_type");
  const kept = step("browser_type", { args: { text: "42" }, targets: on("textbox", "Amount") });
  assert.deepEqual(shownArguments(type, typed, [kept]), typed);
  const secret = step("browser_type", { hidden: { text: "secret" } });
  assert.deepEqual(shownArguments(type, typed, [secret]), { ref: "e5", text: "(secret)" });
  assert.deepEqual(shownArguments(type, typed, []), { ref: "e5", text: "(not kept)" });
  assert.deepEqual(shownArguments(tool("browser_press_key"), { key: "a" }, []), { key: "(not kept)" });
});

test("a call of several steps shows each of them with its element", () => {
  const given = {
    fields: [
      { ref: "e1", value: ["Ada"] },
      { ref: "e2", value: ["pw"] },
    ],
  };
  const steps = [
    step("browser_type", { args: { text: "Ada" }, targets: on("textbox", "Name") }),
    step("browser_type", { hidden: { text: "secret" }, targets: on("textbox", "Password") }),
  ];
  assert.deepEqual(shownArguments(tool("browser_fill_form"), given, steps), {
    fields: [
      { tool: "browser_type", ref: 'textbox "Name"', text: "Ada" },
      { tool: "browser_type", ref: 'textbox "Password"', text: "(secret)" },
    ],
  });
  assert.deepEqual(shownArguments(tool("browser_fill_form"), given, []), { fields: "(not kept)" });
});

test("a script and a file's content are left out", () => {
  assert.deepEqual(shownArguments(tool("browser_evaluate"), { function: "() => 1" }, []), {
    function: "(not kept)",
  });
});
