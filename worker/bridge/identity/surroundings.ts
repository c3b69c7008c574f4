// What tells look-alikes apart besides their rows: the named parts that one stands in, the heading of its card.

import { composedParent } from "../dom/dom.ts";
import { type TreePosition, textOf, withoutDigits } from "../incremental/tree-position.ts";
import type { Item, Node } from "../tree/item.ts";

/**
 * Tells the surroundings of places: those of the same element read the same. They count by their names: the button of
 * another card or dialog is another button.
 */
export function createSurroundings(): (place: TreePosition, top: Item) => string {
  const headings = new Map<Item, Map<Node, Beside>>();
  const besideIn = (container: Item) => {
    const known = headings.get(container) ?? headingsBeside(container);
    headings.set(container, known);
    return known;
  };
  return (place, top) =>
    JSON.stringify([withoutDigits(namesAround(place)), withoutDigits(headingOf(place, top, besideIn))]);
}

function namesAround({ path }: TreePosition): string {
  const named = path.filter(({ name }) => name !== "");
  return named.map(({ role, name }) => `${role} ${name}`).join("\n");
}

/** The headings nearest to a node among its siblings. */
interface Beside {
  before: Item | undefined;
  after: Item | undefined;
}

/** In one pass: containers can hold any number of look-alikes. */
function headingsBeside({ children }: Item): Map<Node, Beside> {
  const found = new Map<Node, Beside>();
  let before: Item | undefined;
  for (const child of children) {
    if (isHeading(child)) before = child;
    else found.set(child, { before, after: undefined });
  }
  let after: Item | undefined;
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at] as Node;
    const beside = found.get(child);
    if (beside === undefined) after = child as Item;
    else beside.after = after;
  }
  return found;
}

function isHeading(node: Node): node is Item {
  return node.kind === "element" && node.role === "heading";
}

/** Of the innermost container that has any beside the place, or what the place stands in. */
function headingOf(
  { path, node }: TreePosition,
  top: Item,
  besideIn: (container: Item) => Map<Node, Beside>,
): string {
  let inner: Node = node;
  for (const container of [top, ...path].reverse()) {
    const beside = besideIn(container).get(inner);
    const heading = beside && nearest(inner, beside);
    if (heading !== undefined) return textOf(heading);
    inner = container;
  }
  return "";
}

/** The tree has no line for a card: that the heading after is the one of the card is seen in the document, as it was or is. */
function nearest({ el }: Node, { before, after }: Beside): Item | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  const aroundBefore = new Set(around(before.el));
  const aroundAfter = new Set(around(after.el));
  for (const up of around(el)) {
    if (aroundBefore.has(up)) return before;
    if (aroundAfter.has(up)) return after;
  }
  return before;
}

function* around(el: Element): Generator<Element> {
  for (let up: Element | null = el; up !== null; up = composedParent(up)) yield up;
}
