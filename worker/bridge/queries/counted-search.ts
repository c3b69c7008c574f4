// Finds out at little cost if a locator matches one element: it counts in the kept tree and in the document's text. It
// searches the page only for a few elements. In doubt, it says no.

import type { LocatorPart } from "../api/bridge-api.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { bodyOf, queryAll, type Root, textContentOf } from "../dom/dom.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { mayHaveRole, queriedRole } from "../locators/queried-role.ts";
import { createSearch, isText, LABELLED, outerOf, type Search } from "../locators/search.ts";
import { topModal } from "../tree/hidden-part.ts";
import type { Item, Node } from "../tree/item.ts";

/** So many elements are looked at one by one. */
const SEARCHED_MAX = 100;
/** The text of a larger page is not read. */
const ITEMS_MAX = 20_000;

/** Its results are as old as the kept tree. */
export function createCountedSearch(context: PageContext, survey: PassCache): Search {
  const exact = createSearch(survey);
  context.current.finish();
  const [top] = context.snapshots.newestFirst();
  const texts = createTexts(exact);
  // The tree leaves out what lies behind a modal dialog, and inert parts. Test tools do not.
  let isWhole: boolean | undefined;
  const counts = () => {
    isWhole ??= topModal() === undefined && queryAll(document, "[inert]").length === 0;
    return isWhole && top !== undefined;
  };
  const isOnly = (part: LocatorPart, el: Element): boolean => {
    const isLarge = top === undefined || top.size > ITEMS_MAX;
    if (part.by === "text") return !isLarge && isText(el, part.value) && texts.count(part.value) === 1;
    if (part.by === "role" && part.hasText !== undefined)
      return !isLarge && texts.isOnlyIn(part.hasText, el) && !isNested(el, part.role);
    if (part.by === "role") {
      const count = counts() ? countAlike(top as Item, el, part) : undefined;
      if (count !== undefined) return count === 1;
    }
    return isSmall(part, exact.roots) && exact.isOnly([part], el);
  };
  return {
    get roots() {
      return exact.roots;
    },
    survey,
    nameOf: exact.nameOf,
    allOf: exact.allOf,
    isOnly: ([part, ...more], el) =>
      part !== undefined && (more.length === 0 ? isOnly(part, el) : exact.isOnly([part, ...more], el)),
    isOnlyIn: (part, el, scope) => isSmall(part, [scope]) && exact.isOnlyIn(part, el, scope),
  };
}

/** Selectors are the browser's own task. All else is looked at one by one. */
function isSmall(part: LocatorPart, roots: readonly (Root | Element)[]): boolean {
  const css = part.by === "role" ? mayHaveRole(part.role) : part.by === "label" ? LABELLED : undefined;
  if (part.by === "text") return false;
  return css === undefined || roots.every((root) => queryAll(root, css).length <= SEARCHED_MAX);
}

/** Counts the tree's elements of that role, and name if there is one. Undefined if this one is not among them. */
function countAlike(
  top: Item,
  el: Element,
  { role, name }: Extract<LocatorPart, { by: "role" }>,
): number | undefined {
  let count = 0;
  let isAmong = false;
  const open: Node[] = [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind !== "element") continue;
    if (node.role === role && (name === undefined || node.name === name)) {
      count += 1;
      isAmong ||= node.el === el;
    }
    for (const child of node.children) open.push(child);
  }
  return isAmong ? count : undefined;
}

/** Counts texts in the search's roots, whose whole text is read once. */
function createTexts(search: Search) {
  let whole: string[] | undefined;
  let lower: string[] | undefined;
  const all = () => (whole ??= search.roots.map((root) => textContentOf(bodyIn(root)) ?? ""));
  const sum = (texts: readonly string[], words: string) =>
    texts.reduce((count, text) => count + occurrences(text, words), 0);
  return {
    count: (words: string) => sum(all(), words),
    /** Reports if all places with the words lie in the element, without regard to case. */
    isOnlyIn(words: string, el: Element): boolean {
      lower ??= all().map((text) => text.toLowerCase());
      const wanted = words.toLowerCase();
      const inside = occurrences((textContentOf(el) ?? "").toLowerCase(), wanted);
      return inside > 0 && sum(lower, wanted) === inside;
    },
  };
}

function bodyIn(root: Root): globalThis.Node {
  return root instanceof Document ? (bodyOf(root) ?? root) : root;
}

const OCCURRENCES_MAX = 100;

function occurrences(text: string, words: string): number {
  let count = 0;
  for (let at = text.indexOf(words); at >= 0 && count < OCCURRENCES_MAX; at = text.indexOf(words, at + 1))
    count += 1;
  return count;
}

/** Reports if an element around it has that role, too, and so the same words. */
function isNested(el: Element, role: string): boolean {
  for (let up = outerOf(el); up !== null; up = outerOf(up)) if (queriedRole(up) === role) return true;
  return false;
}
