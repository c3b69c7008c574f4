// Whether the keyboard's focus can be on an element, by its tag and attributes alone (no style, no geometry).

import { attr, has, isElement, matches, parentOf, tagOf } from "./dom.ts";

/** `tabindex`, a control that is not disabled, a link with an address, or an editing host. */
export function isFocusable(el: Element, tag = tagOf(el)): boolean {
  const index = attr(el, "tabindex");
  if (index !== null && Number.isInteger(Number.parseInt(index, 10))) return true;
  return isNativelyFocusable(el, tag) || isEditingHost(el);
}

/** The element where an editable part begins. */
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

/** Disabled as HTML means it: by its own attribute or by a fieldset's. */
export function isDisabled(el: Element): boolean {
  return matches(el, ":disabled");
}
