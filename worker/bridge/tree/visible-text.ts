// Reads the text that a person can see on the page. It includes shadow roots, slots and the values of fields.

import type { PassCache } from "../aria/pass-cache.ts";
import { chosenText, inputTypeOf, inputValueOf, valueOf } from "../aria/value.ts";
import {
  CDATA,
  contentNodes,
  dataOf,
  ELEMENT,
  has,
  nodeTypeOf,
  shadowRootOf,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import { isBlock } from "../dom/tag-flow.ts";
import { visibilityOf } from "../dom/visibility.ts";

interface Open {
  nodes: Iterator<Node>;
  unseen: boolean;
  after: string;
}

/** Returns text with a space at the edges of each block. White space is not collapsed. */
export function visibleText(root: Element, survey: PassCache, noteRoot: (root: ShadowRoot) => void): string {
  let text = "";
  const stack: Open[] = [{ nodes: [root].values(), unseen: false, after: "" }];
  for (let open = stack.at(-1); open !== undefined; open = stack.at(-1)) {
    const { value: node, done } = open.nodes.next();
    if (done === true) {
      text += open.after;
      stack.pop();
    } else if (nodeTypeOf(node) === ELEMENT) {
      text += elementText(node as Element, survey, noteRoot, stack);
    } else if (!open.unseen && (nodeTypeOf(node) === TEXT || nodeTypeOf(node) === CDATA)) {
      text += dataOf(node as Text);
    }
  }
  return text;
}

/** Returns the text that an element adds before its content. The content goes on the stack. */
function elementText(
  el: Element,
  survey: PassCache,
  noteRoot: (root: ShadowRoot) => void,
  stack: Open[],
): string {
  const tag = tagOf(el);
  const visibility = SILENT_TAGS.has(tag) ? "gone" : visibilityOf(el, tag);
  if (visibility === "gone") return "";
  const shadow = shadowRootOf(el);
  if (shadow !== null) noteRoot(shadow);
  const gap = isBlock(tag) || tag === "br" ? " " : "";
  const held = heldText(el, tag, survey);
  if (held !== undefined) return visibility === "shown" ? ` ${held} ` : "";
  const unseen = visibility === "unseen" || (tag === "details" && !has(el, "open"));
  stack.push({ nodes: contentNodes(el), unseen, after: gap });
  return gap;
}

// A field shows this text instead of content.
function heldText(el: Element, tag: string, survey: PassCache): string | undefined {
  if (tag === "select") return chosenText(el).join(" ");
  if (tag === "input") return buttonText(el as HTMLInputElement) ?? valueOf(el, tag, "", survey) ?? "";
  return tag === "textarea" ? (valueOf(el, tag, "", survey) ?? "") : undefined;
}

const BUTTONS = new Set(["button", "submit", "reset"]);

function buttonText(input: HTMLInputElement): string | undefined {
  return BUTTONS.has(inputTypeOf(input)) ? inputValueOf(input) : undefined;
}

/** Returns a text as texts are compared: without regard to case and white space. */
export function comparable(text: string): string {
  return text.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim().toLowerCase();
}
