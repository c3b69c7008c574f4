// Finds the row, card, list item or option around an element, among its siblings.

import { linesIn } from "../delta/card.ts";
import { composedParent, holds } from "../dom/dom.ts";
import { likeness, type TreePosition } from "../incremental/tree-position.ts";
import type { Item, Node } from "../tree/item.ts";

export interface Row {
  el: Element;
  lines: readonly Node[];
}

export interface RowAmong {
  row: Row;
  others: readonly Row[];
}

/** At most this many of the nearest siblings are compared. */
const OTHERS_MAX = 400;

/**
 * Returns undefined if the element is in no row. Then nothing around it has siblings with an element of its role and
 * name.
 */
export function rowAmong(place: TreePosition, top: Item): RowAmong | undefined {
  const { row } = place;
  if (row === undefined) return cardAmong(place, top);
  const at = place.path.indexOf(row);
  const container = (at < 0 ? place.path.at(-1) : place.path[at - 1]) ?? top;
  const like = container.children.filter(({ kind }) => kind === "element") as Item[];
  const rows = nearest(
    like.filter(({ role }) => role === row.role),
    row,
  );
  const others = rows.filter((each) => each !== row).map((each) => ({ el: each.el, lines: [each] }));
  return { row: { el: row.el, lines: [row] }, others };
}

/** Returns the part of a list nearest to an entry, on both sides of it. */
function nearest<T>(list: readonly T[], one: T): readonly T[] {
  const at = list.indexOf(one);
  return list.slice(Math.max(0, at - OTHERS_MAX / 2), at + OTHERS_MAX / 2);
}

/**
 * The page may group elements without a line in the tree. A card is the outermost ancestor that holds no look-alike.
 */
function cardAmong(place: TreePosition, top: Item): RowAmong | undefined {
  const all = likeness(top, place.role, (name) => name === place.name);
  const own = all.find(({ node }) => node === place.node);
  if (own === undefined || all.length < 2) return undefined;
  const alike = nearest(all, own);
  const held = new Map<Element, number>();
  for (const { node } of alike)
    for (let up: Element | null = node.el; up !== null; up = composedParent(up))
      held.set(up, (held.get(up) ?? 0) + 1);
  const cardOf = ({ node, path }: TreePosition): Row => {
    let el = node.el;
    for (let up = composedParent(el); up !== null && held.get(up) === 1; up = composedParent(up)) el = up;
    return { el, lines: linesOf(el, [top, ...path, node]) };
  };
  return {
    row: cardOf(own),
    others: alike.filter((each) => each !== own).map(cardOf),
  };
}

/** Returns the lines of the tree that an element holds around the last node of a path. */
function linesOf(el: Element, path: readonly Node[]): readonly Node[] {
  // This is the first node inside the element. The node before it in the path is the container.
  const at = path.findIndex((node, index) => index > 0 && holds(el, node.el));
  const container = path[at - 1];
  if (container?.kind !== "element") return [];
  const { from, to } = linesIn(el, container.children, container.children.indexOf(path[at] as Node));
  return container.children.slice(from, to);
}
