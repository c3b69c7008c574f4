// Computes the accessible name on an element's line (accname 1.2, HTML-AAM 1.0). The common case takes a short way: no
// attribute names the element, and it holds one text.

import { attr, dataOf, has, onlyTextOf } from "../dom/dom.ts";
import { ANY, ARIA, TITLE } from "../dom/flags.ts";
import { collapsed, shortened } from "../dom/quote.ts";
import { hostName } from "./host-name.ts";
import { lastResort, nativeName } from "./native-name.ts";
import type { PassCache } from "./pass-cache.ts";
import { CONTENT_BELOW, NAMED_BY_CONTENT } from "./role-names.ts";
import { contentText, isReferring, read, referencedText, traversal } from "./text-alternative.ts";

/**
 * `from` says if the author gave the name or the content is the name. `leaf` means that the content is one text and
 * nothing else.
 */
export interface Name {
  text: string;
  from: "author" | "content" | "none";
  leaf: boolean;
}

/** Longer names are cut. */
export const NAME_MAX = 1_000;
const NAMELESS: Name = { text: "", from: "none", leaf: false };

/** Returns the name for the quotes on the element's line. `flags` are those of its attributes, if they are known. */
export function nameOf(el: Element, tag: string, role: string, survey: PassCache, flags = ANY): Name {
  const given = authorName(el, tag, role, survey, flags) || hostName(el, role, survey);
  return given !== "" ? author(given) : unwrittenName(el, tag, role, survey, flags);
}

/** Returns the name for errors and lists. Cells and rows have their content as a name there. */
export function fullName(el: Element, tag: string, role: string, survey: PassCache): string {
  return nameOf(el, tag, role, survey).text || nameBelow(el, role, survey);
}

/** Returns the full name as test tools compute it: they do not name a field by the custom element around it. */
export function queriedName(el: Element, tag: string, role: string, survey: PassCache): string {
  const given = authorName(el, tag, role, survey, ANY);
  const name = given !== "" ? author(given) : unwrittenName(el, tag, role, survey, ANY);
  return name.text || nameBelow(el, role, survey);
}

/** Returns the name of an element that its author did not name. */
function unwrittenName(el: Element, tag: string, role: string, survey: PassCache, flags: number): Name {
  if (NAMED_BY_CONTENT.has(role)) {
    const content = contentName(el, survey);
    if (content.text !== "") return content;
  }
  // The title of a wrapper or a phrase is a hint, not its name.
  if ((flags & (TITLE | ARIA)) === 0 && tag !== "input" && tag !== "textarea") return NAMELESS;
  return role === "generic" || role === "none" || role === "paragraph"
    ? NAMELESS
    : author(lastResort(el, tag));
}

function nameBelow(el: Element, role: string, survey: PassCache): string {
  return CONTENT_BELOW.has(role) ? contentName(el, survey).text : "";
}

function author(text: string): Name {
  return text === "" ? NAMELESS : { text: shortened(collapsed(text), NAME_MAX), from: "author", leaf: false };
}

function authorName(el: Element, tag: string, role: string, survey: PassCache, flags: number): string {
  if ((flags & ARIA) === 0) return nativeNameOf(el, tag, role, survey);
  if (isReferring(el)) {
    const referenced = referencedText(el, traversal(el, survey));
    if (referenced !== "") return referenced;
  }
  const label = attr(el, "aria-label");
  if (label !== null && label.trim() !== "") return label;
  return nativeNameOf(el, tag, role, survey);
}

function nativeNameOf(el: Element, tag: string, role: string, survey: PassCache): string {
  // An element without its HTML meaning also loses its HTML name.
  if (role === "none" || (role === "generic" && has(el, "role"))) return "";
  return nativeName(el, tag, survey, (namer) => read(namer, traversal(el, survey)));
}

function contentName(el: Element, survey: PassCache): Name {
  const only = onlyTextOf(el);
  if (only !== undefined && !survey.mayHave(el, "pseudo") && survey.ownedBy(el) === undefined) {
    return {
      text: shortened(collapsed(dataOf(only).slice(0, 4 * NAME_MAX)), NAME_MAX),
      from: "content",
      leaf: true,
    };
  }
  const text = collapsed(contentText(el, traversal(el, survey)));
  return { text: shortened(text, NAME_MAX), from: "content", leaf: false };
}
