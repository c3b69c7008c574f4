// Writes a session's steps as a test for Playwright Test. It is pure.

import { publicUrl, variableName } from "../../proto/text/environment.ts";
import type { ExpectedText } from "../bridge/api/bridge-api.ts";
import { literal } from "./locator-code.ts";
import { actionLines } from "./playwright-steps.ts";
import { addressCode, textCode } from "./playwright-values.ts";
import type { RecordedStep } from "./recorded-step.ts";
import type { Recorded } from "./recording.ts";

const EXPECTED_MAX = 2;

/** The role of the run. `login`: its login file as the configuration writes it. */
export interface RunFacts {
  role: string;
  login: string | undefined;
}

/** Returns the test's code. There must be a step. */
export function playwrightTest({ steps, dropped }: Recorded, facts: RunFacts): string {
  const origin = originOf(steps);
  const writer = new Writer(origin, facts.role);
  for (const [index, step] of steps.entries()) writer.add(step, steps.slice(index + 1));
  const body = writer.lines.map((line) => (line === "" ? "" : `  ${line}`));
  const code = body.join("\n");
  const uses = (name: string) => new RegExp(`\\b${name}\\(`).test(code);
  const helpers = HELPERS.filter(({ name }) => uses(name));
  const types = [...new Set(helpers.flatMap((each) => each.types))].sort();
  const imports = ["expect", ...types.map((name) => `type ${name}`), "test"].join(", ");
  const fixtures = /\bcontext\./.test(code) ? "{ page, context }" : "{ page }";
  return [
    ...header(facts, steps.length, dropped, [...writer.secrets]),
    `import { ${imports} } from "@playwright/test";`,
    "",
    ...settings(origin, facts),
    "",
    `test(${literal(`a run of the role ${facts.role}`)}, async (${fixtures}) => {`,
    code,
    "});",
    ...helpers.flatMap(({ text }) => ["", text]),
    "",
  ].join("\n");
}

function header({ role, login }: RunFacts, count: number, dropped: number, secrets: string[]): string[] {
  const variables = [
    "BASE_URL: the server, if it is another one",
    ...(login === undefined
      ? []
      : [`${variableName(role, "storage state")}: the role's login file (storageState)`]),
    ...secrets.map((name) => `${name}: a secret of this run`),
  ];
  return [
    `// A run of ${count} steps in the role ${literal(role)}, exported by Troupe. Environment:`,
    ...variables.map((each) => `// - ${each}`),
    ...(dropped > 0 ? [`// It begins later: ${dropped} earlier steps are no longer kept.`] : []),
  ];
}

function settings(origin: string, { role, login }: RunFacts): string[] {
  const lines = origin === "" ? [] : [`  baseURL: process.env.BASE_URL ?? ${literal(origin)},`];
  if (login !== undefined) {
    // A path of this machine says nothing on another one.
    const path = /^(?:[/~\\]|[a-z]:)/i.test(login) ? "" : ` ?? ${literal(login)}`;
    lines.push(`  storageState: process.env.${variableName(role, "storage state")}${path},`);
  }
  return lines.length === 0 ? [] : ["test.use({", ...lines, "});"];
}

/** The origin of the run's first page. */
function originOf(steps: readonly RecordedStep[]): string {
  for (const { urlBefore, args, outcome } of steps)
    for (const url of [urlBefore, typeof args.url === "string" ? args.url : "", outcome.url])
      if (/^https?:/i.test(url) && URL.canParse(url)) return new URL(url).origin;
  return "";
}

/** Writes the steps one after the other, and knows the variables of their tabs. */
class Writer {
  readonly lines: string[] = [];
  readonly secrets = new Set<string>();
  readonly #origin: string;
  readonly #role: string;
  readonly #tabs = new Map<string, string>();
  #hasUsedPage = false;

  constructor(origin: string, role: string) {
    this.#origin = origin;
    this.#role = role;
  }

  add(step: RecordedStep, later: readonly RecordedStep[]): void {
    const { tool, outcome } = step;
    // Its answer stands before the step that opens the dialog.
    if (tool === "browser_handle_dialog") {
      this.#expect(step, this.#pageOf(step));
      return;
    }
    if (tool === "browser_tabs") {
      this.#tab(step);
      return;
    }
    const page = this.#pageOf(step);
    if (outcome.dialog) this.#answer(page, step, later);
    if (tool === "browser_navigate") this.#sayHidden(String(step.args.url ?? ""));
    const around = this.#awaited(step, page);
    this.lines.push(...around.before, ...this.#action(step, page), ...around.after);
    if (outcome.closed) this.#tabs.delete(step.tab);
    else if (step.failed === undefined) this.#expect(step, page);
  }

  #action(step: RecordedStep, page: string): string[] {
    const { url } = step.args;
    const args = typeof url === "string" ? { ...step.args, url: this.#address(url) } : step.args;
    const lines = actionLines({ step: { ...step, args }, page, role: this.#role });
    for (const line of lines)
      for (const [, name = ""] of line.matchAll(/secret\("([A-Z0-9_]+)"\)/g)) this.secrets.add(name);
    return lines;
  }

  /** Returns the variable of the step's page. A tab that the test does not know yet is opened first. */
  #pageOf({ tab, tool, urlBefore }: RecordedStep): string {
    const known = this.#tabs.get(tab);
    if (known) return known;
    const page = this.#newVariable(tab);
    if (page !== "page") this.lines.push(`const ${page} = await context.newPage();`);
    const begins = tool === "browser_navigate" || !/^https?:/i.test(urlBefore);
    if (!begins) this.#goTo(page, urlBefore);
    return page;
  }

  #goTo(page: string, url: string): void {
    this.#sayHidden(url);
    this.lines.push(`await ${page}.goto(${literal(this.#address(url))});`);
  }

  /** Says which parameters of an address have no value in the test. */
  #sayHidden(url: string): void {
    const { hidden } = publicUrl(url);
    if (hidden.length === 0) return;
    const names = literal([...new Set(hidden)].join(", "));
    this.lines.push(`// The address lacks the run's values of ${names}: HIDDEN stands for each.`);
  }

  #newVariable(tab: string): string {
    const name =
      this.#tabs.size === 0 && !this.#hasUsedPage
        ? "page"
        : `tab${tab.replace(/\D/g, "") || this.#tabs.size + 1}`;
    this.#hasUsedPage = true;
    this.#tabs.set(tab, name);
    return name;
  }

  #awaited({ outcome }: RecordedStep, page: string): { before: string[]; after: string[] } {
    const { opened, download } = outcome;
    if (opened !== undefined && !this.#tabs.has(opened)) {
      const variable = this.#newVariable(opened);
      return {
        before: [`const opening${variable.slice(3)} = context.waitForEvent("page");`],
        after: [`const ${variable} = await opening${variable.slice(3)};`],
      };
    }
    if (!download) return { before: [], after: [] };
    const name = `download${this.lines.length}`;
    return {
      before: [`const ${name} = ${page}.waitForEvent("download");`],
      after: [`await ${name};`],
    };
  }

  /** Answers the dialogs of a step as the run did. */
  #answer(page: string, { outcome }: RecordedStep, later: readonly RecordedStep[]): void {
    const answers: string[] = [];
    let open = outcome.dialog !== undefined;
    for (const each of later) {
      if (!open || each.tool !== "browser_handle_dialog") break;
      const text = typeof each.args.promptText === "string" ? `, text: ${literal(each.args.promptText)}` : "";
      answers.push(`{ accept: ${each.args.accept === true}${text} }`);
      open = each.outcome.dialog !== undefined;
    }
    const { type = "", message = "" } = outcome.dialog ?? {};
    this.lines.push(`// It opens a dialog: ${literal(type)} ${literal(message)}`);
    if (answers.length > 0) this.lines.push(`answerDialogs(${page}, [${answers.join(", ")}]);`);
  }

  #tab(step: RecordedStep): void {
    const { action, url } = step.args;
    if (action === "new") {
      const page = this.#newVariable(step.outcome.opened ?? step.tab);
      if (page !== "page") this.lines.push(`const ${page} = await context.newPage();`);
      if (typeof url === "string") this.#goTo(page, url);
      return;
    }
    const page = this.#pageOf(step);
    this.lines.push(action === "close" ? `await ${page}.close();` : `await ${page}.bringToFront();`, "");
    if (action === "close") this.#tabs.delete(step.tab);
  }

  #expect({ outcome, tool }: RecordedStep, page: string): void {
    const { moved, url, shown, opened, closed } = outcome;
    if (closed) return;
    const address = moved ? addressCode(url) : undefined;
    if (address !== undefined) this.lines.push(`await expect(${page}).toHaveURL(${address});`);
    if (opened === undefined)
      for (const each of shown.slice(0, EXPECTED_MAX)) this.lines.push(expectedLine(each, page));
    if (tool !== "" && this.lines.at(-1) !== "") this.lines.push("");
  }

  /** Returns an address as the test holds it: relative to the run's server, without secrets. */
  #address(url: string): string {
    const { url: shown } = publicUrl(url);
    if (this.#origin === "" || !shown.startsWith(`${this.#origin}/`)) return shown;
    return shown.slice(this.#origin.length);
  }
}

function expectedLine({ role, text }: ExpectedText, page: string): string {
  const locator =
    role === undefined
      ? `${page}.getByText(${textCode(text, false)}).filter({ visible: true })`
      : `${page}.getByRole(${literal(role)}, { name: ${textCode(text, true)}${/\d/.test(text) ? "" : ", exact: true"} })`;
  return `await expect(${locator}.first()).toBeVisible();`;
}

/** Functions that a test brings with it, if it uses them. */
const HELPERS: readonly { name: string; types: string[]; text: string }[] = [
  {
    name: "find",
    types: ["Locator"],
    text: `/** Returns the first of these that matches one element. The later ones are for a page that has changed since. */
async function find(best: Locator, ...others: Locator[]): Promise<Locator> {
  for (const locator of [best, ...others]) {
    try {
      await locator.waitFor({ state: "attached", timeout: locator === best ? 5_000 : 1_000 });
      return locator;
    } catch {
      // It matches no element, or several.
    }
  }
  return best;
}`,
  },
  {
    name: "answerDialogs",
    types: ["Dialog", "Page"],
    text: `/** Answers the next dialogs of the page, in this order. */
function answerDialogs(page: Page, answers: { accept: boolean; text?: string }[]): void {
  const answer = async (dialog: Dialog) => {
    const next = answers.shift();
    if (answers.length === 0) page.off("dialog", answer);
    await (next?.accept ? dialog.accept(next.text) : dialog.dismiss());
  };
  page.on("dialog", answer);
}`,
  },
  {
    name: "secret",
    types: [],
    text: `/** Returns a value that this file does not hold. */
function secret(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(\`Set the environment variable \${name}\`);
  return value;
}`,
  },
];
