// Finds the parts that are hidden from assistive technology: by aria-hidden, by inert or behind a modal dialog.

import {
  attr,
  checkVisibility,
  composedParent,
  firstElementOf,
  focusedElement,
  has,
  holds,
  matches,
  queryAll,
  tagOf,
} from "../dom/dom.ts";
import { ARIA_HIDDEN, INERT } from "../dom/flags.ts";
import type { RefStore } from "../dom/ref-store.ts";
import { CONTROLS, isOf, queryRoles } from "../dom/role-selector.ts";
import type { Fold } from "./item.ts";

const COUNTED_MAX = 1_000;

export function isHiddenPart(el: Element, flags: number): boolean {
  if ((flags & INERT) !== 0 && has(el, "inert")) return true;
  return (flags & ARIA_HIDDEN) !== 0 && attr(el, "aria-hidden")?.toLowerCase() === "true";
}

/** Returns the line for a hidden part that holds controls, or undefined if it holds none. */
export function foldHidden(
  el: Element,
  refs: RefStore,
  except: Element | undefined = undefined,
): Fold | undefined {
  if (firstElementOf(el) === null && !isOf(el, CONTROLS)) return undefined;
  const count = countControls(el, except);
  if (count === 0) return undefined;
  const many = count >= COUNTED_MAX ? `${COUNTED_MAX.toLocaleString("en-US")} or more` : String(count);
  const text = `hidden from assistive technology: ${many} control${count === 1 ? "" : "s"}`;
  return { kind: "fold", el, text, ref: refs.mint(el, "generic", ""), offset: 0, size: 0 };
}

function countControls(el: Element, except: Element | undefined): number {
  let count = isOf(el, CONTROLS) && checkVisibility(el) ? 1 : 0;
  for (const control of queryRoles(el, CONTROLS)) {
    if (!checkVisibility(control, { visibilityProperty: true })) continue;
    if (except !== undefined && holds(except, control)) continue;
    if (++count >= COUNTED_MAX) break;
  }
  return count;
}

/** Returns the top modal dialog if one is open: the one with the focus, or else the last. */
export function topModal(): Element | undefined {
  for (let el = focusedElement(); el !== null; el = composedParent(el)) if (isModal(el)) return el;
  return [...queryAll(document, "dialog:modal")].at(-1);
}

/** Returns the dialog and its ancestors. They are not hidden themselves, but everything else in them is. */
export function pathTo(el: Element): ReadonlySet<Element> {
  const path = new Set<Element>();
  for (let up: Element | null = el; up !== null; up = composedParent(up)) path.add(up);
  return path;
}

function isModal(el: Element): boolean {
  return tagOf(el) === "dialog" && matches(el, ":modal");
}
