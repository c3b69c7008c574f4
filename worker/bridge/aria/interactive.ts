// Which elements get a ref: what can be acted on.

import { attr, composedParent, has, shadowRootOf, styleOf } from "../dom/dom.ts";
import { DRAGGABLE, EDITABLE, HIDDEN, ONCLICK, STYLE, TABINDEX } from "../dom/flags.ts";
import { isEditingHost } from "../dom/focusable.ts";
import type { Candidates, RootStyles } from "../styles/style-rules.ts";
import { WIDGETS } from "./role-names.ts";

/** Focusable, of a widget role, editable, draggable, with a click handler of its own, or outermost with a pointer cursor. */
export function isActedOn(el: Element, tag: string, role: string, flags: number): boolean {
  if (WIDGETS.has(role)) return true;
  if ((flags & TABINDEX) !== 0 && Number.isInteger(Number.parseInt(attr(el, "tabindex") as string, 10)))
    return true;
  if ((flags & EDITABLE) !== 0 && isEditingHost(el)) return true;
  if (tag === "html" || tag === "body") return false;
  if ((flags & DRAGGABLE) !== 0 && attr(el, "draggable")?.toLowerCase() === "true") return true;
  if ((flags & ONCLICK) !== 0) return true;
  return (tag === "video" || tag === "audio") && has(el, "controls");
}

/** Whether the pointer cursor begins at this element. `candidates`: the elements that a style rule could give one. */
export function beginsPointer(el: Element, tag: string, flags: number, candidates: Candidates): boolean {
  if (tag === "html" || tag === "body") return false;
  if (!isAsked(el, flags, "cursor", candidates) && shadowRootOf(el) === null) return false;
  if (styleOf(el).cursor !== "pointer") return false;
  const parent = composedParent(el);
  return parent === null || styleOf(parent).cursor !== "pointer";
}

/** Whether the pointer passes through; undefined where nothing says so of the element itself: as its parent. */
export function passesPointer(el: Element, flags: number, candidates: Candidates): boolean | undefined {
  if (!isAsked(el, flags, "pointer-events", candidates)) return undefined;
  return styleOf(el).pointerEvents === "none";
}

/** Whether the element is shown but what it holds is not: elements inside say so themselves, its text cannot. */
export function skipsContent(el: Element, flags: number, candidates: Candidates): boolean {
  const asked =
    (flags & HIDDEN) !== 0 ||
    (candidates === "all" ? (flags & STYLE) !== 0 : isAsked(el, flags, "content-visibility", candidates));
  return asked && styleOf(el).contentVisibility === "hidden";
}

/**
 * Whether the element's style keeps line breaks; undefined where nothing says so of the element itself: as its parent.
 * `within`: a block in what keeps them.
 */
export function keepsBreaks(
  el: Element,
  flags: number,
  { keeps, unreadable }: RootStyles,
  within: boolean,
): boolean | undefined {
  // Of sheets that cannot be read, too many elements would have to be asked.
  if (!within && !isAsked(el, flags, "white-space", unreadable ? NONE : keeps)) return undefined;
  return /^(?:pre|break-spaces)/.test(styleOf(el).whiteSpace);
}

const NONE: Candidates = new Set<Element>();

/** Whether a style rule or its own style could set the property. */
export function isAsked(el: Element, flags: number, property: string, candidates: Candidates): boolean {
  if (candidates === "all" || candidates.has(el)) return true;
  return (flags & STYLE) !== 0 && (attr(el, "style") as string).includes(property);
}
