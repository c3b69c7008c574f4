// Decides by tag and attributes alone, without style or geometry, if an element can take the keyboard's focus.

import { attr, has, isElement, matches, parentOf, tagOf } from "./dom.ts";

/** An element is focusable by `tabindex`, as an enabled control, as a link with an address or as editing host. */
export function isFocusable(el: Element, tag = tagOf(el)): boolean {
  const index = attr(el, "tabindex");
  if (index !== null && Number.isInteger(Number.parseInt(index, 10))) return true;
  return isNativelyFocusable(el, tag) || isEditingHost(el);
}

/** Reports if an editable part begins at the element. */
export function isEditingHost(el: Element): boolean {
  const value = attr(el, "contenteditable");
  return value !== null && isTrue(value) && !isInEditable(el);
}

function isTrue(value: string): boolean {
  const state = value.toLowerCase();
  return state === "" || state === "true" || state === "plaintext-only";
}

function isInEditable(el: Element): boolean {
  for (let up = parentOf(el); isElement(up); up = parentOf(up)) {
    const value = attr(up, "contenteditable");
    if (value !== null && (isTrue(value) || value.toLowerCase() === "false")) return isTrue(value);
  }
  return false;
}

function isNativelyFocusable(el: Element, tag: string): boolean {
  switch (tag) {
    case "a":
    case "area":
      return has(el, "href");
    case "svg:a":
      return has(el, "href") || has(el, "xlink:href");
    case "input":
      return attr(el, "type")?.toLowerCase() !== "hidden" && !isDisabled(el);
    case "button":
    case "select":
    case "textarea":
      return !isDisabled(el);
    case "summary":
      return matches(el, "details > summary:first-of-type");
    case "audio":
    case "video":
      return has(el, "controls");
    case "iframe":
    case "frame":
      return true;
    default:
      return false;
  }
}

/** Reports if HTML counts the element as disabled, by its own attribute or by a fieldset's. */
export function isDisabled(el: Element): boolean {
  return matches(el, ":disabled");
}
