// Reads an element's text as test tools do: all of it, also what is hidden. Shadow roots follow the rest,
// and a slot counts with its own content.

import {
  dataOf,
  ELEMENT,
  firstChildOf,
  getter,
  nextSiblingOf,
  nodeTypeOf,
  shadowRootOf,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";

/** Longer texts are not compared. */
const LENGTH_MAX = 20_000;
const SILENT = new Set(["script", "noscript", "style", "head"]);
const BUTTONS = new Set(["submit", "button", "reset"]);
const inputType = getter(HTMLInputElement.prototype, "type");
const inputValue = getter(HTMLInputElement.prototype, "value");

/** Returns the text with its white space collapsed, at most so many characters of it. */
export function plainText(node: Element | ShadowRoot, lengthMax = LENGTH_MAX): string {
  return collapsed(rawText(node, { left: lengthMax })).trim();
}

function rawText(node: Node, room: { left: number }): string {
  if (room.left <= 0) return "";
  if (nodeTypeOf(node) === TEXT) {
    const data = dataOf(node as Text).slice(0, room.left);
    room.left -= data.length;
    return data;
  }
  if (nodeTypeOf(node) === ELEMENT) {
    const tag = tagOf(node as Element);
    if (SILENT.has(tag)) return "";
    if (tag === "input") return buttonText(node as HTMLInputElement);
  }
  let text = "";
  for (let child = firstChildOf(node); child !== null; child = nextSiblingOf(child))
    text += rawText(child, room);
  const shadow = nodeTypeOf(node) === ELEMENT ? shadowRootOf(node as Element) : null;
  return shadow === null ? text : text + rawText(shadow, room);
}

function buttonText(input: HTMLInputElement): string {
  const type = inputType(input);
  return BUTTONS.has(type) ? inputValue(input) : "";
}
