// Whether an element is rendered and visible, without asking for any geometry (which would lay out the page).

import { checkVisibility, closest, styleOf, tagOf } from "./dom.ts";

/**
 * shown: it and its text are visible. unseen: it is not, but something inside may be (`visibility: hidden`).
 * bare: it has no box itself, its content counts as visible (`display: contents`, options, areas).
 * fallback: what a canvas or object holds instead of itself. gone: neither it nor anything inside.
 */
export type Visibility = "shown" | "unseen" | "bare" | "fallback" | "gone";

const WITH_VISIBILITY: CheckVisibilityOptions = { visibilityProperty: true };

/** One question in the common case; the second and third only for what the first denies. */
export function visibilityOf(el: Element, tag: string): Visibility {
  if (checkVisibility(el, WITH_VISIBILITY)) return "shown";
  if (checkVisibility(el)) return "unseen";
  const style = styleOf(el);
  if (tag === "option" || tag === "optgroup" || tag === "area" || style.display === "contents")
    return style.visibility === "visible" ? "bare" : "unseen";
  return isFallback(el) ? "fallback" : "gone";
}

/** Whether a person could see it (apart from where it is, its size and its opacity). */
export function isVisible(el: Element, tag: string): boolean {
  const visibility = visibilityOf(el, tag);
  return visibility === "shown" || visibility === "bare";
}

// Fallback content has no boxes, yet is in the accessibility tree; display: none in it still hides.
function isFallback(el: Element): boolean {
  const holder = closest(el, "canvas, object");
  if (holder === null || holder === el || !checkVisibility(holder)) return false;
  return tagOf(holder) === "canvas" && closest(el, "[hidden], dialog:not([open])") === null;
}
