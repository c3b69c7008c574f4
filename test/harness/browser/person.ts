// A person's browser for tests of the console: it opens pages, counts what must not happen, and checks accessibility.
import assert from "node:assert/strict";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";

export interface PersonsView {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
}

export interface Person extends AsyncDisposable {
  /** Opens a page in a context of its own. It fails the test if a dialog opens or a script breaks. */
  open(url: string, view?: PersonsView): Promise<Page>;
  /** Throws if something went wrong in any page. */
  check(): void;
}

const WAIT_MS_MAX = 20_000;
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export async function startPerson(): Promise<Person> {
  const { executable, env } = await findBrowser({ env: process.env });
  const browser: Browser = await chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-gpu"],
    env: { ...(process.env as Record<string, string>), ...env },
  });
  const problems: string[] = [];
  return {
    async open(url, { width = 1440, height = 900, theme = "light" } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS_MAX);
      page.on("dialog", (dialog) => {
        problems.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("pageerror", (error) => problems.push(`a script broke: ${error.stack ?? error.message}`));
      page.on("console", (message) => {
        // A refused request is what some tests are about.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          problems.push(`an error in the page: ${message.text()}`);
      });
      await page.goto(url);
      return page;
    },
    check: () => assert.deepEqual(problems, []),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Resolves with what axe finds in the page, one line for each kind of fault. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join("\\n")))`);
}

/** Resolves with the number of pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - document.documentElement.clientWidth",
  );
}
