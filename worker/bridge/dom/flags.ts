// What an element's attributes say about how it must be looked at, in one pass over their names.

import { attributeNamesOf, hasAttributes } from "./dom.ts";

export const ROLE = 1;
export const TABINDEX = 2;
export const EDITABLE = 4;
export const DRAGGABLE = 8;
export const ONCLICK = 16;
export const INERT = 32;
export const ARIA = 64;
export const ARIA_HIDDEN = 128;
export const STYLE = 256;
export const HIDDEN = 512;
export const TITLE = 1024;
/** May change without any sign: what a popover or a list of suggestions does elsewhere. */
export const RESTLESS = 2048;
export const POPOVER = 4096;

const FLAGS = new Map([
  ["role", ROLE],
  ["tabindex", TABINDEX],
  ["contenteditable", EDITABLE],
  ["draggable", DRAGGABLE],
  ["onclick", ONCLICK],
  ["inert", INERT],
  ["aria-hidden", ARIA | ARIA_HIDDEN],
  ["style", STYLE],
  ["hidden", HIDDEN],
  ["title", TITLE],
  ["xlink:title", TITLE],
  ["popover", POPOVER],
  ["popovertarget", RESTLESS],
  ["list", RESTLESS],
]);

/** What is assumed of an element whose attributes were not looked at. */
export const ANY = ~0;

/** The flags of all attributes of the element, or-ed. */
export function flagsOf(el: Element): number {
  let flags = 0;
  if (!hasAttributes(el)) return flags;
  for (const name of attributeNamesOf(el)) {
    flags |= FLAGS.get(name) ?? (name.startsWith("aria-") ? ARIA : 0);
  }
  return flags;
}
