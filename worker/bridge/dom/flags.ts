// Reads, in one pass, how the names of an element's attributes say that it must be looked at.

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
/** Such an element may change without any sign, by what a popover or a list of suggestions does elsewhere. */
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

/** These flags are assumed of an element whose attributes were not read. */
export const ANY = ~0;

/** Returns the flags of all attributes of the element, combined by a bitwise "or". */
export function flagsOf(el: Element): number {
  let flags = 0;
  if (!hasAttributes(el)) return flags;
  for (const name of attributeNamesOf(el)) {
    flags |= FLAGS.get(name) ?? (name.startsWith("aria-") ? ARIA : 0);
  }
  return flags;
}
