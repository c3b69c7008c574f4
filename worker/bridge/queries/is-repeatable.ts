// Decides which texts of the page another run most likely shows, too. It looks for them in the kept tree, and then at
// their elements as they are now.

import { boxOf } from "../aim/hit.ts";
import type { ExpectedText } from "../api/bridge-api.ts";
import { isConnected, isElement, parentOf, tagOf } from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import { isVisible } from "../dom/visibility.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { plainText } from "../locators/plain-text.ts";
import { isQueried, queriedRole } from "../locators/queried-role.ts";
import { createSearch, isReachable, type Search } from "../locators/search.ts";
import { changesByItself } from "../locators/stable-text.ts";
import type { Node } from "../tree/item.ts";

/** So many elements with the text are looked at. */
const ELEMENTS_MAX = 5;
const LEVELS_MAX = 3;
const TEXT_LENGTH_MAX = 2_000;
/** Announcements that only a screen reader reads are this small, and are soon gone. */
const SPECK = 2;

export function isRepeatable(context: PageContext, expected: readonly ExpectedText[]): boolean[] {
  const wanted = expected.map((each) => (changesByItself(each.text) ? undefined : each));
  if (wanted.every((each) => each === undefined)) return expected.map(() => false);
  const found = elementsWith(wanted, context);
  const search = createSearch(context.survey());
  return wanted.map((each, index) => {
    if (each === undefined) return false;
    const { role, text } = each;
    const elements = found[index] ?? [];
    if (role !== undefined) return elements.some((el) => isNamed(el, role, text, search));
    return elements.some((el) => isSeen(collapsed(text).toLowerCase(), el));
  });
}

/** Returns, for each text, the first elements of the tree that have it. */
function elementsWith(expected: readonly (ExpectedText | undefined)[], context: PageContext): Element[][] {
  const found: Element[][] = expected.map(() => []);
  context.current.finish();
  const [top] = context.snapshots.newestFirst();
  const open: Node[] = top === undefined ? [] : [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [index, each] of expected.entries()) {
      const elements = found[index] as Element[];
      if (each !== undefined && elements.length < ELEMENTS_MAX && has(node, each)) elements.push(node.el);
    }
    if (node.kind === "element") for (const child of node.children) open.push(child);
  }
  return found;
}

function has(node: Node, { role, text }: ExpectedText): boolean {
  if (node.kind === "fold") return false;
  if (role !== undefined) return node.kind === "element" && node.role === role && node.name === text;
  if (node.kind === "words") return node.text.includes(text);
  return node.name === text || (node.value?.includes(text) ?? false);
}

function isNamed(el: Element, role: string, name: string, search: Search): boolean {
  return (
    isConnected(el) &&
    isReachable(el) &&
    queriedRole(el) === role &&
    isQueried(el) &&
    search.nameOf(el, role) === name
  );
}

/** Reports if a person sees the text: the element, or one close around it, has all of it and a box. */
function isSeen(text: string, el: Element): boolean {
  if (!isConnected(el) || !isReachable(el)) return false;
  let up: Node["el"] | null = el;
  for (let level = 0; isElement(up) && level < LEVELS_MAX; level++) {
    if (plainText(up, TEXT_LENGTH_MAX).toLowerCase().includes(text)) return isInView(up);
    const parent = parentOf(up);
    up = isElement(parent) ? parent : null;
  }
  return false;
}

function isInView(el: Element): boolean {
  const box = isVisible(el, tagOf(el)) ? boxOf(el) : undefined;
  return box !== undefined && box.width > SPECK && box.height > SPECK;
}
