// Decides if an element is still the delivered one. The page may have put other content into it since.

import type { Changed, DeliveredIn, Described } from "../api/bridge-api.ts";
import { plainTag } from "../dom/dom.ts";
import { shortened } from "../dom/quote.ts";
import { refText } from "../dom/ref-text.ts";
import type { PageContext } from "../incremental/page-context.ts";
import {
  likeness,
  type TreePosition,
  textOf,
  treePositionOf,
  withoutDigits,
} from "../incremental/tree-position.ts";
import { identify } from "../tree/describe.ts";
import type { Item } from "../tree/item.ts";
import { likelyElements } from "./candidates.ts";
import { type RowAmong, rowAmong } from "./row-among.ts";
import { isSameRow } from "./same-row.ts";

const ROW_MAX = 120;

/**
 * Refuses an action on an element that differs from these delivered trees. It differs by another role or name. If
 * several elements share the name, another text of its row, list item or option counts, too. The result is undefined if
 * the element is the same or nothing was delivered. Only changes since the last pass are read.
 */
export function changedSince(
  context: PageContext,
  { element, number }: { element: Element; number: number },
  delivered: DeliveredIn | undefined,
): Changed | undefined {
  if (delivered === undefined) return undefined;
  const { top: now } = context.update(false);
  const [before, rowBefore] = [delivered.line, delivered.row].map((snapshot) =>
    context.snapshots.get(snapshot),
  );
  if (before === now && rowBefore === now) return undefined;
  const ref = refText(number);
  const tag = plainTag(element);
  if (before === undefined) return forgotten(context, element, { ref, tag });
  const old = beforeIn(before, element);
  if (old === undefined) return undefined;
  const { was } = old;
  const is = treePositionOf(now, element);
  if (is === undefined) return changedUnseen(context, element, was, { ref, tag });
  if (rowBefore === undefined && is.row !== undefined && isShared(is, now))
    return forgotten(context, element, { ref, tag });
  const inRow = rowBefore === before ? old : rowBefore && beforeIn(rowBefore, element);
  const isEdited = (context.edits.get(element) ?? -1) >= delivered.row;
  const rows = inRow && otherRow(inRow, { is, now }, isEdited ? element : undefined);
  if (rows === undefined && !isOtherElement(old, { is, now })) return undefined;
  const meant = rows && inRow ? { ...inRow, was: { ...inRow.was, role: was.role, name: was.name } } : old;
  const { likely, alike } = likelyElements(context, meant.was, meant.before, now);
  return {
    state: "changed",
    element: { ref, role: was.role, name: was.name, tag },
    now: { ref, role: is.role, name: is.name, tag },
    ...rows,
    likely: likely.filter((each) => each.ref !== ref),
    alike,
  };
}

/** Applies the same check to a ref. A ref without an element gives undefined. */
export function staleRef(
  context: PageContext,
  ref: string | undefined,
  delivered: DeliveredIn | undefined,
): Changed | undefined {
  const resolved = ref === undefined ? undefined : context.refs.resolve(ref);
  return resolved?.state === "present" ? changedSince(context, resolved, delivered) : undefined;
}

interface Before {
  was: TreePosition;
  before: Item;
}

interface Now {
  is: TreePosition;
  now: Item;
}

function beforeIn(before: Item, el: Element): Before | undefined {
  const was = treePositionOf(before, el);
  return was && { was, before };
}

function isOtherElement({ was, before }: Before, { is, now }: Now): boolean {
  if (was.role !== is.role) return true;
  if (was.name === is.name) return false;
  if (withoutDigits(was.name) !== withoutDigits(is.name)) return true;
  // Digits distinguish elements if another element differs in nothing else.
  const isLike = (name: string) => withoutDigits(name) === withoutDigits(was.name);
  return [
    { place: was, top: before },
    { place: is, top: now },
  ].some(({ place, top }) =>
    likeness(containerOf(place, top), place.role, isLike).some(
      (other) => other.node.el !== place.node.el && other.name !== place.name,
    ),
  );
}

/**
 * Returns the old and the new text of a row that is now another one, or undefined if unchanged. `edited`: a field whose
 * content the session has changed itself.
 */
function otherRow(
  { was, before }: Before,
  { is, now }: Now,
  edited: Element | undefined,
): { row: string; nowRow: string } | undefined {
  if ((was.row === undefined) !== (is.row === undefined) || (was.row && was.row === is.row)) return undefined;
  if (!isShared(was, before) && !isShared(is, now)) return undefined;
  const [then, today] = [rowAmong(was, before), rowAmong(is, now)];
  if (then === undefined || today === undefined || isSameRow(then, today, edited)) return undefined;
  return { row: rowText(then), nowRow: rowText(today) };
}

function isShared({ role, name }: TreePosition, top: Item): boolean {
  return likeness(top, role, (other) => other === name).length > 1;
}

/** Each item with such a role holds a single one of a container's look-alikes. */
const PARTS = new Set(["row", "listitem", "option", "article", "group", "cell", "gridcell", "figure"]);

/** Returns the container of the element and its look-alikes: the list around a list item, not the list item. */
function containerOf({ path }: TreePosition, top: Item): Item {
  return path.findLast(({ role }) => !PARTS.has(role)) ?? top;
}

function rowText({ row }: RowAmong): string {
  return shortened(row.lines.map(textOf).join(" "), ROW_MAX);
}

type Named = Pick<Described, "ref" | "tag">;

/** An element outside the tree (hidden, or hidden from assistive technology) may still be another one. */
function changedUnseen(
  context: PageContext,
  el: Element,
  was: TreePosition,
  own: Named,
): Changed | undefined {
  const { role, name } = identify(el, context.survey());
  // A hidden element has no name to compare. Another check finds that a client cannot act on it.
  if (name === "" || (role === was.role && withoutDigits(name) === withoutDigits(was.name))) return undefined;
  return {
    state: "changed",
    element: { ...own, role: was.role, name: was.name },
    now: { ...own, role, name },
    likely: [],
    alike: 0,
  };
}

/** The element was delivered so long ago that nothing is left to compare it with. */
function forgotten(context: PageContext, el: Element, own: Named): Changed {
  const now = { ...own, ...identify(el, context.survey()) };
  return { state: "changed", element: now, now, likely: [], alike: 0, forgotten: true };
}
