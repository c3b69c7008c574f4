// Reads the texts of pages from Chrome's accessibility tree, for the error of a login that fails.
import type { Page, SerializedAXNode } from "puppeteer-core";
import { quote } from "../../proto/text/quote.ts";
import { withinTime } from "../core/frame-time.ts";

/** A page that hangs is left out after this time. */
const READ_MS_MAX = 1_000;
const WORDS_MAX = 3;
const WORDS_LENGTH_MAX = 200;

const ALERTS: ReadonlySet<string> = new Set(["alert", "alertdialog", "status"]);
/** The text of these roles is typed into them, or can be chosen in them. */
const FIELDS: ReadonlySet<string> = new Set(["textbox", "searchbox", "combobox", "listbox", "spinbutton"]);

/** The texts of pages, in document order. */
export interface PageWords {
  /** The texts of alerts. */
  alerts: string[];
  others: string[];
}

/** Returns undefined if a page does not answer. */
export async function readWords(pages: readonly Page[]): Promise<PageWords | undefined> {
  const words: PageWords = { alerts: [], others: [] };
  const trees = await Promise.all(pages.map(treeOf));
  for (const tree of trees) collect(tree, words);
  return trees.includes(null) ? undefined : words;
}

/** Returns new texts of the pages: those of alerts, or else all others. They are quoted, and secrets are masked. */
export function newWords(
  before: PageWords | undefined,
  now: PageWords | undefined,
  secrets: readonly string[],
): string[] {
  if (!before || !now) return [];
  const known = new Set([...before.alerts, ...before.others]);
  const isNew = (text: string) => !known.has(text);
  const alerts = now.alerts.filter(isNew);
  const said = alerts.length > 0 ? alerts : now.others.filter(isNew);
  return [...new Set(said)].slice(0, WORDS_MAX).map((text) => quote(masked(text, secrets), WORDS_LENGTH_MAX));
}

async function treeOf(page: Page): Promise<SerializedAXNode | null> {
  try {
    const read = () => page.accessibility.snapshot({ interestingOnly: false, includeIframes: true });
    return await withinTime(read, READ_MS_MAX);
  } catch {
    // The page has closed, goes elsewhere or hangs. The login's own failure is reported without its words.
    return null;
  }
}

function collect(node: SerializedAXNode | null, words: PageWords): void {
  if (!node || FIELDS.has(node.role)) return;
  if (ALERTS.has(node.role)) {
    const text = textOf(node);
    if (text) words.alerts.push(text);
  } else if (node.role === "StaticText") words.others.push(node.name ?? "");
  else for (const child of node.children ?? []) collect(child, words);
}

function textOf({ role, name = "", children = [] }: SerializedAXNode): string {
  if (role === "StaticText") return name;
  return FIELDS.has(role) ? "" : children.map(textOf).filter(Boolean).join(" ");
}

function masked(text: string, secrets: readonly string[]): string {
  return secrets.filter(Boolean).reduce((rest, secret) => rest.replaceAll(secret, "[masked]"), text);
}
