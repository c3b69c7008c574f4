// Finds what sets an element apart by its place: the row, card or dialog around it, and the words that only that one has.

import type { LocatorPart } from "../api/bridge-api.ts";
import { attr, dataOf, ELEMENT, firstChildOf, nextSiblingOf, nodeTypeOf, TEXT, tagOf } from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import { isQueried, queriedRole } from "./queried-role.ts";
import { outerOf, type Search } from "./search.ts";
import { isGenerated, isMadeUp, isVolatile } from "./stable-text.ts";

const ANCESTORS_MAX = 30;
const WORDS_MAX = 6;
const WORDS_LENGTH_MAX = 60;
const VISITED_MAX = 400;

const NAMED = new Set(
  "dialog alertdialog region form navigation main complementary banner contentinfo search group table grid list tablist tabpanel menu toolbar tree radiogroup article listbox".split(
    " ",
  ),
);
const REPEATED = new Set("row listitem article option treeitem group region tabpanel figure".split(" "));

/** A container that a locator finds, and how likely it is found again. */
export interface Container {
  part: LocatorPart;
  element: Element;
  stability: number;
}

/** Yields the containers around an element that a locator finds alone, nearest first. */
export function* containersOf(el: Element, search: Search): Generator<Container> {
  let up = outerOf(el);
  for (let count = 0; up !== null && count < ANCESTORS_MAX; count++, up = outerOf(up)) {
    for (const { part, stability } of namesOf(up, search))
      if (search.isOnly([part], up)) {
        yield { part, element: up, stability };
        break;
      }
  }
}

type Named = Omit<Container, "element">;

function* namesOf(el: Element, search: Search): Generator<Named> {
  const testId = attr(el, "data-testid");
  if (testId && !isMadeUp(testId)) yield { part: { by: "testId", value: testId }, stability: 70 };
  const role = queriedRole(el);
  if (role !== undefined && isQueried(el)) yield* byRole(el, role, search);
  const id = attr(el, "id");
  if (id && !isGenerated(id)) yield { part: { by: "css", value: `#${CSS.escape(id)}` }, stability: 45 };
}

function* byRole(el: Element, role: string, search: Search): Generator<Named> {
  const name = NAMED.has(role) ? search.nameOf(el, role) : "";
  if (name !== "" && name.length <= WORDS_LENGTH_MAX && !isVolatile(name))
    yield { part: { by: "role", role, name }, stability: 65 };
  if (
    role === "main" ||
    role === "banner" ||
    role === "contentinfo" ||
    role === "dialog" ||
    role === "navigation"
  )
    yield { part: { by: "role", role }, stability: 50 };
  if (!REPEATED.has(role)) return;
  for (const hasText of ownWords(el)) yield { part: { by: "role", role, hasText }, stability: 55 };
}

/** Returns the first texts of a container. Headings and cells come before its controls' names in most rows. */
function ownWords(container: Element): string[] {
  const words = new Set<string>();
  let visited = 0;
  const open: Node[] = [container];
  for (let node = open.pop(); node !== undefined && words.size < WORDS_MAX; node = open.pop()) {
    if (++visited > VISITED_MAX) break;
    if (nodeTypeOf(node) === TEXT) {
      const text = collapsed(dataOf(node as Text).slice(0, 4 * WORDS_LENGTH_MAX)).trim();
      if (text.length >= 2 && text.length <= WORDS_LENGTH_MAX && !isVolatile(text)) words.add(text);
    } else if (nodeTypeOf(node) === ELEMENT && !SILENT_TAGS.has(tagOf(node as Element))) {
      const children: Node[] = [];
      for (let child = firstChildOf(node); child !== null; child = nextSiblingOf(child)) children.push(child);
      open.push(...children.reverse());
    }
  }
  return [...words];
}
