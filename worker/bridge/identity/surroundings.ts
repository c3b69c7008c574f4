// Distinguishes look-alikes by more than their rows: by the named parts around them and the heading of their card.

import { composedParent } from "../dom/dom.ts";
import { type TreePosition, textOf, withoutDigits } from "../incremental/tree-position.ts";
import type { Item, Node } from "../tree/item.ts";

/**
 * Returns a function that describes the surroundings of a position. They are equal for the same element. Names count:
 * the button of another card or dialog is another button.
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

/** Has the headings nearest to a node among its siblings. */
interface Beside {
  before: Item | undefined;
  after: Item | undefined;
}

/** One pass finds all headings, because a container can hold any number of look-alikes. */
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

/** Returns the nearest heading beside the position, or beside one of the containers around it. */
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

/**
 * The tree has no line for a card. So the document, old or new, shows if the heading after the node belongs to its
 * card.
 */
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
