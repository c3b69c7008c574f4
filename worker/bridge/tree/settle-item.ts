// What happens when all that is inside an item has been seen: it is put under its parent, or dropped, or dissolved.

import { ATOMIC, NAMED_BY_CONTENT, SILENT_WHEN_EMPTY } from "../aria/role-names.ts";
import { checkVisibility, contentNodes, isElement, shadowRootOf, tagOf } from "../dom/dom.ts";
import type { RefStore } from "../dom/ref-store.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import { adopt, type Item, recount } from "./item.ts";
import { inlineText } from "./print.ts";
import { remaining } from "./redundant.ts";
import { addText, emptyTextRun, flush, type TextRun } from "./text-run.ts";

/** Puts the item under its parent, without what its name says already; drops it where it says nothing. */
export function settleItem(item: Item, parent: Item, refs: RefStore): void {
  if (item.children.length > 0 && saysContent(item)) {
    item.children = remaining(item.children, item.name, item.role);
    recount(item);
  }
  if (saysNothing(item) || namesUnshown(item)) return;
  const only = onlyNamesake(item);
  if (only !== undefined) {
    adopt(parent, only);
    return;
  }
  if (item.ref !== 0 && item.name === "") nameByText(item, refs);
  if (item.ref !== 0 && item.name === "" && HEADERS.has(item.role)) nameByPressed(item, refs);
  adopt(parent, item);
}

/** Whether its line says what it contains. A formula without a name is its content. */
function saysContent({ role, name }: Item): boolean {
  return name === "" ? ATOMIC.has(role) && role !== "math" : ATOMIC.has(role) || NAMED_BY_CONTENT.has(role);
}

function saysNothing(item: Item): boolean {
  // A picture without text may still be something to a reader; an icon drawn in place is not.
  const silent = SILENT_WHEN_EMPTY.has(item.role) || (item.role === "img" && tagOf(item.el) === "svg:svg");
  return (
    silent &&
    item.children.length === 0 &&
    item.ref === 0 &&
    item.name === "" &&
    item.states === "" &&
    item.value === undefined
  );
}

const isNameAlone = ({ role, ref, states, value, hole, name }: Item) =>
  role === "generic" && name !== "" && ref === 0 && states === "" && value === undefined && !hole;

/** Whether it is the name of what its shadow root does not show, such as a dialog that is closed. */
function namesUnshown(item: Item): boolean {
  if (!isNameAlone(item) || item.children.length > 0) return false;
  if (shadowRootOf(item.el) === null) return false;
  const parts = [...contentNodes(item.el)].filter((node) => isElement(node) && !isNoPart(tagOf(node)));
  return parts.length > 0 && !parts.some((part) => checkVisibility(part as Element));
}

const isNoPart = (tag: string) => SILENT_TAGS.has(tag) || tag === "slot";

/** All that a wrapper without a meaning of its own holds, where that is called the same. */
function onlyNamesake(item: Item): Item | undefined {
  const only = item.children.length === 1 && isNameAlone(item) ? item.children[0] : undefined;
  return only?.kind === "element" && only.name === item.name ? only : undefined;
}

// What has a ref but no name is remembered by its text, for the day it is gone.
function nameByText(item: Item, refs: RefStore): void {
  const only = item.children[0];
  if (only?.kind === "words" && item.children.length === 1)
    refs.mint(item.el, item.role, only.text.slice(0, 100));
}

const HEADERS = new Set(["columnheader", "rowheader"]);

// A header that is pressed is called by its text, also where the text can be pressed by itself.
function nameByPressed(item: Item, refs: RefStore): void {
  const only = item.children.length === 1 ? item.children[0] : undefined;
  if (only?.kind !== "element" || only.role !== "generic" || only.name !== "") return;
  item.name = inlineText(only) ?? "";
  refs.mint(item.el, item.role, item.name);
}

/**
 * Ends a phrase. Its text goes on in the run around it where there is text around it; else it becomes a line of its
 * own, if no text follows. With more than text inside, the phrase itself says nothing.
 */
export function settlePhrase(item: Item, inner: TextRun, outer: TextRun, parent: Item): TextRun {
  if (item.children.length > 0) {
    flush(inner, item);
    flush(outer, parent);
    for (const child of item.children) adopt(parent, child);
    return outer;
  }
  if (inner.from === undefined) return outer;
  if (outer.phrase !== undefined) flush(outer, parent);
  if (outer.from !== undefined) {
    addText(outer, inner.text, item.el, inner.keeps);
    outer.length += inner.length - inner.text.length;
    return outer;
  }
  const alone = { ...emptyTextRun(), ...inner };
  alone.phrase = item;
  return alone;
}
