// Marks the elements of a known tree that must be read again: those that changed, and those that changes elsewhere reach.

import type { StyleMoved } from "../api/bridge-api.ts";
import type { ClickListeners } from "../aria/click-listeners.ts";
import type { Internals } from "../aria/internals.ts";
import { type LabelTies, TYING_ATTRIBUTES } from "../aria/label-ties.ts";
import { referencedBy } from "../aria/text-alternative.ts";
import { ELEMENT, focusedElement, isConnected, nodeTypeOf, type Root } from "../dom/dom.ts";
import { isSameList } from "../dom/is-same-list.ts";
import type { StyleState } from "../styles/style-state.ts";
import { topModal } from "../tree/hidden-part.ts";
import { createMarks, type Marks, markMutations } from "./dirty.ts";
import type { Known } from "./passes.ts";

/** Has the sources of changes without a mutation. */
export interface ChangeSources {
  clicks: ClickListeners;
  internals: Internals;
  labels: LabelTies;
  styleState: StyleState;
}

/** Has what is known of the changes since the tree was read. `movedBefore`: earlier passes left moved styles open. */
export interface Changed {
  records: readonly MutationRecord[];
  styleMoved: StyleMoved;
  movedBefore: boolean;
  roots: readonly Root[];
}

/** Returns the elements to read again, or undefined if that is all of them. */
export function markChanges(
  before: Known,
  { records, styleMoved, movedBefore, roots }: Changed,
  { clicks, internals, labels, styleState }: ChangeSources,
): Marks | undefined {
  const marks = createMarks(before.links);
  const sameRoots = roots.length === before.roots.size && roots.every((root) => before.roots.has(root));
  if (before.isOdd || !sameRoots || topModal() !== undefined) return undefined;
  if (!markMutations(records, marks) || isOwnedNow(before, records)) return undefined;
  markSilent(before, marks);
  // The worker has reported these.
  for (const el of clicks.take()) marks.own(el);
  for (const el of internals.take()) marks.deep(el);
  if (records.some(mayTieLabels)) for (const el of labels.changed(roots)) marks.own(el);
  if (records.length === 0 && !styleMoved) return marks;
  const restyled = styleState.changed(roots);
  if (restyled === undefined || before.shadows.anyNew()) return undefined;
  for (const el of restyled) marks.deep(el);
  // Without any mark, the reason for moved styles is unknown.
  return marks.dirty.size > 0 || styleMoved === "elsewhere" || movedBefore ? marks : undefined;
}

/** Reports if an element has come whose id an aria-owns attribute already named. */
function isOwnedNow({ hasAwaited }: Known, records: readonly MutationRecord[]): boolean {
  return records.length > 0 && hasAwaited();
}

/** Reports if a label may now belong to another control. */
function mayTieLabels({ type, attributeName, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type === "attributes") return TYING_ATTRIBUTES.has(attributeName);
  return (
    type === "childList" && [...addedNodes, ...removedNodes].some((node) => nodeTypeOf(node) === ELEMENT)
  );
}

/** Marks elements that change without a mutation. */
function markSilent({ links, controls, scrollers, focused }: Known, marks: Marks): void {
  for (const el of controls.changed()) marks.own(el);
  for (const el of scrollers.changed()) marks.own(el);
  const focusedNow = focusedElement();
  if (focusedNow !== focused) {
    for (const el of [focused, focusedNow]) if (el !== null && isConnected(el)) marks.own(el);
  }
  for (const [el, deep] of links.restlessOnes()) deep ? marks.deep(el) : marks.own(el);
  for (const [el, { found, dependents }] of links.references()) {
    const now = referencedBy(el);
    if (isSameList(now, found)) continue;
    for (const dependent of dependents) if (isConnected(dependent)) marks.own(dependent);
  }
}

/** Reports if something changed without a mutation or a report since the tree was read. */
export function anySilent(known: Known): boolean {
  const marks = createMarks(known.links);
  markSilent(known, marks);
  return marks.dirty.size > 0;
}
