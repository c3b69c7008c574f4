// Writes one step as lines of Playwright code. It is pure.

import { variableName } from "../../proto/text/environment.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { RankedLocator } from "../bridge/api/bridge-api.ts";
import { literal, playwrightCode } from "./locator-code.ts";
import { secretCode, valueCode } from "./playwright-values.ts";
import type { RecordedStep, RecordedTarget } from "./recorded-step.ts";

/** A step that is being written. */
export interface StepCode {
  step: RecordedStep;
  /** The variable of its page. */
  page: string;
  role: string;
}

/** The lines of the action, or a comment about a step that cannot be written. */
export function actionLines(code: StepCode): string[] {
  const { step } = code;
  const write = Object.hasOwn(ACTIONS, step.tool) ? ACTIONS[step.tool] : undefined;
  if (!write) return [`// ${step.tool} is not exported.`];
  if (step.failed !== undefined) return [`// ${step.tool} failed here with ${step.failed}, and is left out.`];
  const lacking = REFERRING[step.tool]?.find((name) => lacksTarget(step, name));
  if (lacking !== undefined)
    return [`// ${step.tool} is left out: no locator found its element${named(step.targets[lacking])}.`];
  return write(code);
}

/** The code of an element: its locator, with another one if that goes by something else. */
function elementCode({ frames, locators }: RecordedTarget, page: string): string {
  const [best, ...others] = locators;
  if (!best) return "";
  const code = (each: RankedLocator) => playwrightCode({ frames, parts: each.parts }, page);
  const other = others.find(({ kind }) => best.stability < STRONG || INDEPENDENT.has(kind));
  if (!other) return code(best);
  const short = `(await find(${code(best)}, ${code(other)}))`;
  if (short.length <= LINE_LENGTH) return short;
  return `(\n    await find(\n      ${code(best)},\n      ${code(other)},\n    )\n  )`;
}

const LINE_LENGTH = 100;
/** A weaker locator gets another one beside it, whatever it goes by. */
const STRONG = 65;
/** These go by something else than the element's words. */
const INDEPENDENT: ReadonlySet<string> = new Set(["test id", "placeholder", "id", "attribute"]);

/** The arguments without which a step cannot be written. */
const REFERRING: Readonly<Record<string, readonly string[]>> = {
  browser_click: ["ref"],
  browser_hover: ["ref"],
  browser_select_option: ["ref"],
  browser_drag: ["from", "to"],
};

function lacksTarget({ targets }: RecordedStep, name: string): boolean {
  return (targets[name]?.locators.length ?? 0) === 0;
}

function named(target: RecordedTarget | undefined): string {
  return target ? ` ${target.role} ${literal(target.name)}` : "";
}

const ACTIONS: Readonly<Record<string, (code: StepCode) => string[]>> = {
  browser_navigate: ({ step, page }) =>
    step.hidden.url
      ? ["// browser_navigate is left out: its address is too long."]
      : [`await ${page}.goto(${literal(text(step.args, "url"))});`],
  browser_navigate_back: ({ page }) => [`await ${page}.goBack();`],
  browser_navigate_forward: ({ page }) => [`await ${page}.goForward();`],
  browser_reload: ({ page }) => [`await ${page}.reload();`],
  browser_click: click,
  browser_hover: (code) => [`await ${element(code)}.hover();`],
  browser_drag: (code) => [`await ${element(code, "from")}.dragTo(${element(code, "to")});`],
  browser_type: type,
  browser_select_option: (code) => choose(code, code.step.chosen ?? []),
  browser_press_key: press,
  browser_scroll: scroll,
  browser_wait_for: wait,
};

function element({ step, page }: StepCode, name = "ref"): string {
  const target = step.targets[name];
  return target ? elementCode(target, page) : `${page}.locator(":focus")`;
}

function text(args: JsonObject, name: string): string {
  const value = args[name];
  return typeof value === "string" ? value : "";
}

function click(code: StepCode): string[] {
  const { args, targets } = code.step;
  const modifiers = Array.isArray(args.modifiers) ? args.modifiers.map((each) => capital(String(each))) : [];
  const button = text(args, "button");
  const options = [
    ...(button && button !== "left" ? [`button: ${literal(button)}`] : []),
    ...(modifiers.length ? [`modifiers: [${modifiers.map(literal).join(", ")}]`] : []),
  ];
  // A person clicks the label of such a control.
  if (targets.ref?.labelled && options.length === 0)
    return [`await ${element(code)}.dispatchEvent("click");`];
  const method = args.doubleClick === true ? "dblclick" : "click";
  return [`await ${element(code)}.${method}(${options.length ? `{ ${options.join(", ")} }` : ""});`];
}

function type(code: StepCode): string[] {
  const { step, page, role } = code;
  const { args, hidden, chosen = [] } = step;
  const target = step.targets.ref;
  if (target && target.locators.length === 0)
    return [`// browser_type is left out: no locator found its element${named(target)}.`];
  if (hidden.text === "too long") return ["// browser_type is left out: its text is too long."];
  if (hidden.chosen) return [secretChoice(step)];
  const value =
    hidden.text === "secret"
      ? secretCode(variableName(role, target?.name || "secret"))
      : valueCode(text(args, "text"));
  const field = element(code);
  const enter = args.submit === true ? [`await ${field}.press("Enter");`] : [];
  if (chosen.length > 0 && target?.tag !== "input" && target?.tag !== "textarea") return choose(code, chosen);
  const lines = typing({ target, page }, field, value, args.slowly === true);
  const options = chosen.map((each) => optionLine(each, page));
  return [...lines, ...options, ...enter];
}

// A field that searches while it is typed into listens for keys. An editor has no value to fill.
function typing(
  { target, page }: { target: RecordedTarget | undefined; page: string },
  field: string,
  value: string,
  slowly: boolean,
): string[] {
  const isField = !target || target.tag === "input" || target.tag === "textarea";
  if (!isField)
    return [
      `await ${field}.click();`,
      `await ${page}.keyboard.press("ControlOrMeta+A");`,
      value === '""'
        ? `await ${page}.keyboard.press("Backspace");`
        : `await ${page}.keyboard.insertText(${value});`,
    ];
  const byKeys = slowly || target?.role === "combobox" || target?.role === "searchbox";
  if (!byKeys || value === '""') return [`await ${field}.fill(${value});`];
  return [`await ${field}.fill("");`, `await ${field}.pressSequentially(${value});`];
}

function choose(code: StepCode, chosen: readonly string[]): string[] {
  const { step, page } = code;
  if (step.hidden.chosen) return [secretChoice(step)];
  // An empty list would clear the choice.
  if (chosen.length === 0) return [`// ${step.tool} is left out: nothing is known of its options.`];
  const field = element(code);
  if (step.targets.ref?.tag === "select")
    return [`await ${field}.selectOption([${chosen.map(literal).join(", ")}]);`];
  return [`await ${field}.click();`, ...chosen.map((each) => optionLine(each, page))];
}

function secretChoice({ tool }: RecordedStep): string {
  return `// ${tool} is left out: the name of its option is a secret.`;
}

function optionLine(label: string, page: string): string {
  return `await ${page}.getByRole("option", { name: ${literal(label)}, exact: true }).click();`;
}

function press({ step, page }: StepCode): string[] {
  if (step.hidden.clipboard) return ["// A paste is left out: use browser_type for what a test is to type."];
  if (step.hidden.key === "secret")
    return ["// A key of a secret is left out: use browser_type for secrets."];
  const key = text(step.args, "key");
  const keys = key === " " ? [key] : key.split(" ").filter((each) => each !== "");
  return keys.map((each) => `await ${page}.keyboard.press(${literal(each)});`);
}

function scroll(code: StepCode): string[] {
  const { step, page } = code;
  const { args, targets, moved = 0 } = step;
  const direction = text(args, "direction") || "down";
  const pixels =
    (moved || Number(args.amount) || 600) * (direction === "up" || direction === "left" ? -1 : 1);
  const by = direction === "left" || direction === "right" ? `${pixels}, 0` : `0, ${pixels}`;
  if (targets.ref?.locators.length)
    return [`await ${element(code)}.evaluate((region) => region.scrollBy(${by}));`];
  return [`await ${page}.mouse.move(640, 360);`, `await ${page}.mouse.wheel(${by});`];
}

const STATES: Readonly<Record<string, string>> = {
  visible: "toBeVisible()",
  hidden: "toBeHidden()",
  enabled: "toBeEnabled()",
  disabled: "toBeDisabled()",
  gone: "toHaveCount(0)",
};

function wait({ step, page }: StepCode): string[] {
  const { args, targets, hidden } = step;
  if (hidden.text) return ["// A wait for a secret text is left out."];
  const shown = (words: string) => `${page}.getByText(${literal(words)}).filter({ visible: true })`;
  if (text(args, "text")) return [`await expect(${shown(text(args, "text"))}.first()).toBeVisible();`];
  if (text(args, "textGone")) return [`await expect(${shown(text(args, "textGone"))}).toHaveCount(0);`];
  if (targets.ref?.locators[0]) {
    const [best] = targets.ref.locators;
    const state = STATES[text(args, "state") || "visible"] ?? "toBeVisible()";
    return [
      `await expect(${playwrightCode({ frames: targets.ref.frames, parts: best.parts }, page)}).${state};`,
    ];
  }
  return ["// A wait is left out: Playwright waits by itself."];
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
