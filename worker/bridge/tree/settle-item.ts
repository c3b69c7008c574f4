// Finishes an item after everything inside it was read. The item goes under its parent, is dropped or is dissolved.

import { ATOMIC, NAMED_BY_CONTENT, PHRASES, SILENT_WHEN_EMPTY, TELLING_PHRASES } from "../aria/role-names.ts";
import { checkVisibility, contentNodes, has, isElement, shadowRootOf, tagOf } from "../dom/dom.ts";
import type { RefStore } from "../dom/ref-store.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import { adopt, type Item, recount } from "./item.ts";
import { inlineText } from "./print.ts";
import { remaining } from "./redundant.ts";
import { addText, emptyTextRun, flush, type TextRun } from "./text-run.ts";

/** Puts the item under its parent, without text that its name repeats. It drops an item that says nothing. */
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

/** Reports if the item's line says what it contains. A formula without a name is its content. */
export function saysContent({ role, name }: Item): boolean {
  return name === "" ? ATOMIC.has(role) && role !== "math" : ATOMIC.has(role) || NAMED_BY_CONTENT.has(role);
}

function saysNothing(item: Item): boolean {
  // A picture without text may still mean something to a reader. An icon that is drawn in place does not.
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

/** Reports if the item only names content that its shadow root does not show, such as a closed dialog. */
function namesUnshown(item: Item): boolean {
  if (!isNameAlone(item) || item.children.length > 0) return false;
  if (shadowRootOf(item.el) === null) return false;
  const parts = [...contentNodes(item.el)].filter((node) => isElement(node) && !isNoPart(tagOf(node)));
  return parts.length > 0 && !parts.some((part) => checkVisibility(part as Element));
}

const isNoPart = (tag: string) => SILENT_TAGS.has(tag) || tag === "slot";

/** Returns the only content of a wrapper without meaning, if that content has the same name. */
function onlyNamesake(item: Item): Item | undefined {
  const only = item.children.length === 1 && isNameAlone(item) ? item.children[0] : undefined;
  return only?.kind === "element" && only.name === item.name ? only : undefined;
}

// An element with a ref but no name is remembered by its text, for errors after its removal.
function nameByText(item: Item, refs: RefStore): void {
  const only = item.children[0];
  if (only?.kind === "words" && item.children.length === 1)
    refs.mint(item.el, item.role, only.text.slice(0, 100));
}

const HEADERS = new Set(["columnheader", "rowheader"]);

// The text of a header that can be pressed is its name, even if the text itself can be pressed.
function nameByPressed(item: Item, refs: RefStore): void {
  const only = item.children.length === 1 ? item.children[0] : undefined;
  if (only?.kind !== "element" || only.role !== "generic" || only.name !== "") return;
  item.name = inlineText(only) ?? "";
  refs.mint(item.el, item.role, item.name);
}

/** Reports if the item only marks a part of running text and says nothing more. */
export function isPlainPhrase(item: Item): boolean {
  return (
    PHRASES.has(item.role) &&
    !TELLING_PHRASES.has(item.role) &&
    item.name === "" &&
    item.ref === 0 &&
    item.states === "" &&
    !has(item.el, "role")
  );
}

/**
 * Ends a phrase. Its text joins the run around it if that run has text. Otherwise the phrase becomes its own line, if
 * no text follows. A phrase that holds more than text says nothing itself.
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
