// Decides which elements a client can act on. These get a ref.

import { attr, composedParent, has, shadowRootOf, styleOf } from "../dom/dom.ts";
import { DRAGGABLE, EDITABLE, HIDDEN, ONCLICK, STYLE, TABINDEX } from "../dom/flags.ts";
import { isEditingHost } from "../dom/focusable.ts";
import type { Candidates, RootStyles } from "../styles/style-rules.ts";
import { WIDGETS } from "./role-names.ts";

/**
 * An element counts by a widget role, or if it is focusable, editable or draggable. It also counts with its own click
 * handler, or as media with controls.
 */
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

/**
 * Reports if the pointer cursor begins at this element. `candidates` are the elements that a style rule could give one.
 */
export function beginsPointer(el: Element, tag: string, flags: number, candidates: Candidates): boolean {
  if (tag === "html" || tag === "body") return false;
  if (!isAsked(el, flags, "cursor", candidates) && shadowRootOf(el) === null) return false;
  if (styleOf(el).cursor !== "pointer") return false;
  const parent = composedParent(el);
  return parent === null || styleOf(parent).cursor !== "pointer";
}

/**
 * Reports if the pointer passes through the element. It returns undefined if nothing sets this on the element itself.
 * The parent's value then holds.
 */
export function passesPointer(el: Element, flags: number, candidates: Candidates): boolean | undefined {
  if (!isAsked(el, flags, "pointer-events", candidates)) return undefined;
  return styleOf(el).pointerEvents === "none";
}

/**
 * Reports if the element is shown but its content is not. Elements inside have a visibility of their own, but text has
 * none.
 */
export function skipsContent(el: Element, flags: number, candidates: Candidates): boolean {
  const asked =
    (flags & HIDDEN) !== 0 ||
    (candidates === "all" ? (flags & STYLE) !== 0 : isAsked(el, flags, "content-visibility", candidates));
  return asked && styleOf(el).contentVisibility === "hidden";
}

/**
 * Reports if the element's style keeps line breaks. It returns undefined if nothing sets this on the element itself.
 * The parent's value then holds. `within` means a block inside an element that keeps them.
 */
export function keepsBreaks(
  el: Element,
  flags: number,
  { keeps, unreadable }: RootStyles,
  within: boolean,
): boolean | undefined {
  // With unreadable sheets, the computed style of too many elements would be needed.
  if (!within && !isAsked(el, flags, "white-space", unreadable ? NONE : keeps)) return undefined;
  return /^(?:pre|break-spaces)/.test(styleOf(el).whiteSpace);
}

const NONE: Candidates = new Set<Element>();

/** Reports if a style rule or the element's own style could set the property. */
export function isAsked(el: Element, flags: number, property: string, candidates: Candidates): boolean {
  if (candidates === "all" || candidates.has(el)) return true;
  return (flags & STYLE) !== 0 && (attr(el, "style") as string).includes(property);
}
