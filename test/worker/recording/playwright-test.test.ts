// Tests the code of single steps: words of the page and of the client stay as they are, and no step does another thing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { playwrightTest } from "../../../worker/recording/playwright-test.ts";
import { type RecordedStep, withoutSecrets } from "../../../worker/recording/recorded-step.ts";

function step(tool: string, rest: Partial<RecordedStep>): RecordedStep {
  const outcome = { url: "", moved: false, shown: [] };
  return { tool, tab: "t1", urlBefore: "", args: {}, targets: {}, hidden: {}, outcome, ...rest };
}

const written = (...steps: RecordedStep[]) =>
  playwrightTest({ steps, dropped: 0 }, { role: "shop", login: undefined });

test("words that look like a variable are written as they are", () => {
  const code = written(
    step("browser_type", { args: { text: "costs $page" } }),
    step("browser_wait_for", { args: { text: "$page" } }),
  );
  assert.match(code, /fill\("costs \$page"\)/);
  assert.match(code, /page\.getByText\("\$page"\)/);
});

test("a choice whose label is a secret is left out, and clears nothing", () => {
  const target = {
    role: "combobox",
    name: "Kind",
    tag: "select",
    frames: [],
    locators: [
      {
        kind: "role and name" as const,
        stability: 90,
        parts: [{ by: "role" as const, role: "combobox", name: "Kind" }],
      },
    ],
    labelled: false,
  };
  const chosen = ["hunter2", "Other"];
  const choice = step("browser_select_option", {
    targets: { ref: target },
    args: { values: ["1", "2"] },
    chosen,
  });
  const known = withoutSecrets(choice, (text) => text.includes("hunter2"));
  assert.deepEqual([known.chosen, known.hidden], [undefined, { chosen: "secret" }]);
  const code = written(known);
  assert.match(code, /\/\/ browser_select_option is left out/);
  assert.doesNotMatch(code, /selectOption\(/);
  assert.match(written(choice), /selectOption\(\["hunter2", "Other"\]\)/);
});

test("the test says which values an address lacks", () => {
  const url = "https://shop.test/in?state=HIDDEN";
  const opens = { url: "", moved: false, shown: [], opened: "t2" };
  const code = written(
    step("browser_navigate", { args: { url } }),
    step("browser_tabs", { args: { action: "new", url }, outcome: opens }),
  );
  assert.equal(code.match(/\/\/ The address lacks the run's values of "state"/g)?.length, 2, code);
});
