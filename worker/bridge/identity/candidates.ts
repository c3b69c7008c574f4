// Finds the element that probably replaced a delivered one that is gone. It has the same role, name and position.

import type { Described, Missing, ResolvedRef } from "../api/bridge-api.ts";
import { isConnected, plainTag } from "../dom/dom.ts";
import type { Identity } from "../dom/ref-store.ts";
import { numberOf, refText } from "../dom/ref-text.ts";
import { type PageContext, type Target, targetOf } from "../incremental/page-context.ts";
import {
  elementsOf,
  likeness,
  type TreePosition,
  textOf,
  treePositionOfNumber,
} from "../incremental/tree-position.ts";
import { describe } from "../tree/describe.ts";
import type { Item, Node } from "../tree/item.ts";
import { comparable } from "../tree/visible-text.ts";
import { rowAmong } from "./row-among.ts";
import { successorOf } from "./same-row.ts";
import { createSurroundings } from "./surroundings.ts";

/** Works as {@link targetOf} does. For a removed element it adds the one that probably replaced it. */
export function targetOrSuccessor(
  context: PageContext,
  ref: string,
): Extract<Target, { state: "present" }> | Missing {
  const target = targetOf(context, ref);
  if (target.state !== "removed") return target;
  return { ...target, ...successors(context, numberOf(ref) ?? 0, target.element) };
}

/** Returns the element that replaced a removed one, if there is only one that can be meant. */
export function successorElement(context: PageContext, ref: string): Element | undefined {
  const target = targetOrSuccessor(context, ref);
  const [likely] = target.state === "removed" ? target.likely : [];
  const found = likely && targetOf(context, likely.ref);
  return found?.state === "present" ? found.element : undefined;
}

export function resolveRef(context: PageContext, ref: string): ResolvedRef {
  const target = targetOrSuccessor(context, ref);
  if (target.state !== "present") return target;
  return { state: "present", element: describe(target.element, context) };
}

/**
 * `likely` has one element, or none if it is unclear which one was meant. `alike` counts those with the role and name.
 */
export interface Likely {
  likely: Described[];
  alike: number;
}

export function alone(context: PageContext, role: string, name: string): Likely {
  const alike = likeness(context.update(true).top, role, (other) => other === name && name !== "");
  const [one] = alike;
  return { likely: one && alike.length === 1 ? [describeAt(context, one)] : [], alike: alike.length };
}

const CALLED_MAX = 5;

/** Returns the elements with that name that a client can act on. An exact match comes before one in another case. */
export function called(context: PageContext, name: string, role: string | undefined): Described[] {
  const { top } = context.update(true);
  const wanted = comparable(name);
  const found = [...top.children]
    .flatMap((node) => [...actionable(node)])
    .filter(
      (item) =>
        (role === undefined || item.role === role) && comparable(item.name) === wanted && wanted !== "",
    );
  const exact = found.filter((item) => item.name === name);
  return (exact.length > 0 ? exact : found)
    .slice(0, CALLED_MAX)
    .map(({ ref, role: ariaRole, name: full, el }) => ({
      ref: refText(ref),
      role: ariaRole,
      name: full,
      tag: plainTag(el),
    }));
}

function* actionable(top: Node): Generator<Item> {
  const open = [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind !== "element") continue;
    if (node.ref !== 0) yield node;
    for (const child of node.children.toReversed()) open.push(child);
  }
}

/** Returns the element that replaced a removed one. An element that was beside it before is a different one. */
function successors(context: PageContext, number: number, { role, name }: Identity): Likely {
  const { top: now } = context.update(false);
  for (const before of context.snapshots.newestFirst()) {
    const was = treePositionOfNumber(before, number);
    if (was === undefined) continue;
    const known = elementsOf(before);
    return likelyElements(context, was, before, now, ({ node }) => !known.has(node.el));
  }
  // No kept tree has its position any more.
  const alike = likeness(now, role, (other) => other === name && name !== "");
  return {
    likely: alike.length === 1 ? alike.map((each) => describeAt(context, each)) : [],
    alike: alike.length,
  };
}

/** Returns the element that now is what the element at `was` was before, among those that `mayBe` accepts. */
export function likelyElements(
  context: PageContext,
  was: TreePosition,
  before: Item,
  now: Item,
  mayBe: (place: TreePosition) => boolean = () => true,
): Likely {
  const isName = (name: string) => name === was.name;
  const alike = likeness(now, was.role, isName);
  const surroundings = createSurroundings();
  const around = surroundings(was, before);
  const fitsRow = rowsLike(was, before, now);
  const fitBefore = likeness(before, was.role, isName).filter(
    (each) => isSameText(each.row, was.row) && surroundings(each, before) === around,
  );
  const others = new Set(fitBefore.map(({ node }) => node.el));
  others.delete(was.node.el);
  const fit = alike.filter(
    (each) => !others.has(each.node.el) && mayBe(each) && fitsRow(each) && surroundings(each, now) === around,
  );
  // An element that is still there has no successor.
  const still = new Set(alike.map(({ node }) => node.el));
  const gone = fitBefore.filter(({ node }) => node === was.node || !still.has(node.el));
  const isSure = fit.length <= 1 && gone.length <= 1;
  const one = isSure ? fit[0] : inSamePlace(was, { top: before, fit: gone }, { top: now, fit });
  return { likely: one === undefined ? [] : [describeAt(context, one)], alike: alike.length };
}

function isSameText(a: Item | undefined, b: Item | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && textOf(a) === textOf(b));
}

/** Reports if a position is in the row that the other one was in. Both may also be in none. */
function rowsLike(was: TreePosition, before: Item, now: Item): (place: TreePosition) => boolean {
  const then = was.row && rowAmong(was, before);
  if (then === undefined) return ({ row }) => row === undefined;
  const isSuccessor = successorOf(then);
  return (place) =>
    place.row !== undefined &&
    isSuccessor({ el: place.row.el, lines: [place.row] }, () => rowAmong(place, now) ?? then);
}

function describeAt({ refs }: PageContext, { node, role, name }: TreePosition): Described {
  const number = refs.known(node.el) ?? refs.mint(node.el, role, name);
  return { ref: refText(number), role, name, tag: plainTag(node.el) };
}

/** Has a tree and the nodes in it that fit. */
interface Fitting {
  top: Item;
  fit: readonly TreePosition[];
}

/**
 * Chooses among look-alikes in the nearest container that is still there. It takes the only one there if there was only
 * one before, and otherwise the one at the same position.
 */
function inSamePlace(was: TreePosition, before: Fitting, now: Fitting): TreePosition | undefined {
  for (const container of [...was.path].reverse()) {
    if (!isConnected(container.el)) continue;
    const inside = fitIn(container.el, now);
    if (inside.fit.length === 0) continue;
    const wereInside = fitIn(container.el, before).fit.length;
    if (inside.fit.length === 1 && wereInside <= 1) return inside.fit[0];
    return atSamePosition(was, container, inside);
  }
  return atSamePosition(was, before.top, now);
}

/** Returns the fitting nodes in that container, with the container as the new top. */
function fitIn(container: Element, { top, fit }: Fitting): Fitting {
  const isContainer = ({ el }: Item) => el === container;
  const inside = fit.filter(({ path }) => path.some(isContainer));
  return { top: inside[0]?.path.find(isContainer) ?? top, fit: inside };
}

/** Positions are the same only if all text around them is the same. */
function atSamePosition(was: TreePosition, before: Item, { top, fit }: Fitting): TreePosition | undefined {
  if (textOf(before) !== textOf(top)) return undefined;
  const isName = (name: string) => name === was.name;
  const [old, young] = [likeness(before, was.role, isName), likeness(top, was.role, isName)];
  const index = old.findIndex(({ node }) => node === was.node);
  const same = young[index];
  return old.length === young.length ? fit.find(({ node }) => node === same?.node) : undefined;
}
