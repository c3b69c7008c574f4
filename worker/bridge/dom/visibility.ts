// Decides if an element is rendered and visible. It asks for no geometry, because that would lay out the page.

import { checkVisibility, closest, styleOf, tagOf } from "./dom.ts";

/**
 * The states of an element are:
 * "shown": the element and its text are visible.
 * "unseen": the element is not visible, but something inside it may be (`visibility: hidden`).
 * "bare": it has no box itself, but its content counts as visible (`display: contents`, options, areas).
 * "fallback": a canvas or object holds it as a replacement for itself.
 * "gone": neither the element nor anything inside it is visible.
 */
export type Visibility = "shown" | "unseen" | "bare" | "fallback" | "gone";

const WITH_VISIBILITY: CheckVisibilityOptions = { visibilityProperty: true };

/** The common case needs one question. Only a negative answer leads to the second and third. */
export function visibilityOf(el: Element, tag: string): Visibility {
  if (checkVisibility(el, WITH_VISIBILITY)) return "shown";
  if (checkVisibility(el)) return "unseen";
  const style = styleOf(el);
  if (tag === "option" || tag === "optgroup" || tag === "area" || style.display === "contents")
    return style.visibility === "visible" ? "bare" : "unseen";
  return isFallback(el) ? "fallback" : "gone";
}

/** Reports if a person could see the element. Its position, size and opacity do not count. */
export function isVisible(el: Element, tag: string): boolean {
  const visibility = visibilityOf(el, tag);
  return visibility === "shown" || visibility === "bare";
}

// Fallback content has no boxes but is in the accessibility tree. `display: none` in it still hides.
function isFallback(el: Element): boolean {
  const holder = closest(el, "canvas, object");
  if (holder === null || holder === el || !checkVisibility(holder)) return false;
  return tagOf(holder) === "canvas" && closest(el, "[hidden], dialog:not([open])") === null;
}
