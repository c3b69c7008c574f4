// Computes the text alternative of an element (accname 1.2, section 4.3.2) by steps 2A to 2I. A long step has its own
// function.

import {
  assignedTo,
  attr,
  byId,
  dataOf,
  ELEMENT,
  firstChildOf,
  getter,
  has,
  nextSiblingOf,
  nodeTypeOf,
  rootOf,
  shadowRootOf,
  styleOf,
  TEXT,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import { visibilityOf } from "../dom/visibility.ts";
import { lastResort, nativeName } from "./native-name.ts";
import { idsOf, type PassCache } from "./pass-cache.ts";
import { pseudoText } from "./pseudo-content.ts";
import { roleOf } from "./role.ts";
import { embeddedValue } from "./value.ts";

const labelledByOf = getter(Element.prototype, "ariaLabelledByElements");

export interface Traversal {
  readonly survey: PassCache;
  /** The element that needs the name. */
  readonly target: Element;
  /** The traversal is inside an element that aria-labelledby names. The attribute is not followed again there. */
  readonly referenced: boolean;
  /** The referenced element itself is hidden, so hidden parts of it count. */
  readonly hidden: boolean;
  readonly seen: Set<Element>;
  /**
   * The elements that are being read as names, each for the one before. Labels may name each other's controls in a
   * circle.
   */
  readonly namers: readonly Element[];
  /** This many more characters may be gathered, because names are bounded and pages are not. */
  room: number;
}

const DEPTH_MAX = 200;
const ROOM = 8_000;

export function traversal(target: Element, survey: PassCache): Traversal {
  return { survey, target, referenced: false, hidden: false, seen: new Set(), namers: [], room: ROOM };
}

/** Step 2B returns the text of the elements that aria-labelledby names, joined by spaces. No text appears twice. */
export function referencedText(el: Element, t: Traversal): string {
  if (t.referenced || !isReferring(el)) return "";
  const namers = referencedBy(el);
  t.survey.links?.refers(el, namers, t.target);
  const texts = namers.map((namer) => (t.seen.has(namer) ? "" : read(namer, { ...t, referenced: true })));
  for (const namer of namers) t.seen.add(namer);
  return texts.filter((text) => text !== "").join(" ");
}

/** Reports if other elements name this one. Browsers accept the misspelt attribute, too. */
export function isReferring(el: Element): boolean {
  return has(el, "aria-labelledby") || has(el, "aria-labeledby");
}

/** Returns the text of an element that names another. Hidden text counts here. */
export function read(namer: Element, t: Traversal): string {
  if (t.namers.includes(namer)) return "";
  t.survey.links?.depends(namer, t.target);
  const tag = tagOf(namer);
  const seen = t.hidden ? "shown" : seenness(namer, tag);
  const inner: Traversal = {
    ...t,
    hidden: t.hidden || seen !== "shown",
    seen: new Set(),
    namers: [...t.namers, namer],
  };
  return collapsed(alternative(namer, tag, inner, 0, true));
}

/**
 * Steps 2F to 2H return the text of the content, with the additions of style sheets and aria-owns. A popup that the
 * element opens is not part of its name.
 */
export function contentText(el: Element, t: Traversal, depth = 0, mute = false): string {
  if (depth > DEPTH_MAX) return (textContentOf(el) ?? "").slice(0, t.room);
  let text = pseudoText(el, "::before", t.survey);
  const assigned = assignedTo(el);
  for (const node of assigned) text += nodeText(node, t, depth, mute);
  let node = assigned.length > 0 ? null : firstChildOf(shadowRootOf(el) ?? el);
  for (; node !== null && t.room > 0; node = nextSiblingOf(node)) text += nodeText(node, t, depth, mute);
  for (const owned of has(el, "aria-haspopup") ? [] : (t.survey.ownedBy(el) ?? []))
    text += ` ${elementText(owned, t, depth)} `;
  return text + pseudoText(el, "::after", t.survey);
}

function nodeText(node: Node, t: Traversal, depth: number, mute: boolean): string {
  const type = nodeTypeOf(node);
  if (type === ELEMENT)
    return t.survey.isOwned(node as Element) ? "" : elementText(node as Element, t, depth);
  if (type !== TEXT || mute) return "";
  const data = dataOf(node as Text).slice(0, t.room);
  t.room -= data.length;
  return data;
}

function elementText(el: Element, t: Traversal, depth: number): string {
  const tag = tagOf(el);
  if (tag === "br" || el === t.target) return " ";
  if (SILENT_TAGS.has(tag)) return "";
  const seen = t.hidden ? "shown" : seenness(el, tag);
  if (seen === "gone") return "";
  const text = seen === "unseen" ? mutedText(el, t, depth + 1) : alternative(el, tag, t, depth + 1, false);
  if (text === "") return "";
  const display = styleOf(el).display;
  return display === "inline" || display === "contents" ? text : ` ${text} `;
}

/** Returns what is visible in an element that is not visible itself. Its own attributes and labels say nothing. */
function mutedText(el: Element, t: Traversal, depth: number): string {
  if (t.seen.has(el)) return "";
  t.seen.add(el);
  return contentText(el, t, depth, true);
}

// This does steps 2A and 2C to 2I. `namer` means that a reference or a label led here, not a part of the naming
// element.
function alternative(el: Element, tag: string, t: Traversal, depth: number, namer: boolean): string {
  if (!namer) {
    const referenced = referencedText(el, t);
    if (referenced !== "") return referenced;
  }
  if (t.seen.has(el)) return "";
  t.seen.add(el);
  const role = roleOf(el, tag, t.survey);
  // The options of a menu do not name the element around it.
  if (!namer && (role === "menu" || role === "menubar")) return "";
  if (el !== t.target) {
    const value = embeddedValue(el, role, t.survey);
    if (value !== undefined) return value;
  }
  const label = tag === "slot" ? "" : (attr(el, "aria-label") ?? "").trim();
  if (label !== "") return label;
  if (role === "none") return tag === "img" ? "" : contentText(el, t, depth);
  if (!namer && isNestedPart(role, t)) return "";
  const native = nativeName(el, tag, t.survey, (other) => (other === t.target ? "" : read(other, t)));
  return native.trim() === "" ? contentOrHint(el, tag, contentText(el, t, depth)) : native;
}

// White space alone still separates the texts beside it.
function contentOrHint(el: Element, tag: string, content: string): string {
  return content.trim() === "" ? lastResort(el, tag) || content : content;
}

// A tree item's own branch is not part of its name.
function isNestedPart(role: string, t: Traversal): boolean {
  return role === "group" && roleOf(t.target) === "treeitem";
}

function seenness(el: Element, tag: string): "shown" | "unseen" | "gone" {
  if (attr(el, "aria-hidden") === "true") return "gone";
  const visibility = visibilityOf(el, tag);
  return visibility === "unseen" || visibility === "gone" ? visibility : "shown";
}

/** Returns the elements that aria-labelledby names. */
export function referencedBy(el: Element): readonly Element[] {
  const elements = labelledByOf(el);
  if (elements !== undefined && elements !== null) return elements;
  const root = rootOf(el);
  if (root === undefined) return [];
  return idsOf(attr(el, "aria-labelledby") ?? attr(el, "aria-labeledby")).flatMap(
    (id) => byId(root, id) ?? [],
  );
}
