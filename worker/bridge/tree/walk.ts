// Turns the page into items in one pass over the rendered tree: shadow roots, slots and aria-owns are resolved. The
// stack is explicit, because pages may be thousands of levels deep.

import { keepsBreaks, passesPointer, skipsContent } from "../aria/interactive.ts";
import { noteTies, type TieNotes } from "../aria/note-ties.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { pseudoText } from "../aria/pseudo-content.ts";
import { PHRASES } from "../aria/role-names.ts";
import {
  attr,
  CDATA,
  dataOf,
  ELEMENT,
  has,
  nodeTypeOf,
  onlyTextOf,
  parentOf,
  rootOf,
  shadowRootOf,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import { ARIA_HIDDEN, flagsOf, INERT } from "../dom/flags.ts";
import { collapsed, shortened } from "../dom/quote.ts";
import type { RefStore } from "../dom/ref-store.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import { isBlock } from "../dom/tag-flow.ts";
import { visibilityOf } from "../dom/visibility.ts";
import { drawnCode } from "./drawn-code.ts";
import { foldHidden, isHiddenPart, pathTo, topModal } from "./hidden-part.ts";
import { adopt, type Item, newItem } from "./item.ts";
import { isLong, leaveRows, type UnreadRows } from "./long-list.ts";
import { makeItem } from "./make-item.ts";
import type { Memo } from "./memo.ts";
import { addOptions } from "./options.ts";
import { isSaidElsewhere } from "./said-elsewhere.ts";
import { SCROLLABLE, type Scrollers } from "./scrollers.ts";
import { isPlainPhrase, settleItem, settlePhrase } from "./settle-item.ts";
import { addText, cross, emptyTextRun, flush, type TextRun } from "./text-run.ts";
import {
  baseFrame,
  beginPhrase,
  contextOf,
  type Frame,
  factsOf,
  mayHavePseudo,
  nextNode,
  setFrame,
} from "./walk-frame.ts";

export interface WalkContext extends TieNotes {
  survey: PassCache;
  refs: RefStore;
  /** Receives every open shadow root that the walk meets. */
  noteRoot(root: ShadowRoot): void;
  /** Has the results of earlier passes. It is undefined for a pass that is not remembered. */
  memo?: Memo | undefined;
  scrollers?: Scrollers;
}

/** A pass that may pause between two nodes. While it pauses, the page must stay as it is. */
export interface Pass {
  /** Represents nothing itself. It has all items once the pass is over, except those of unread rows. */
  readonly top: Item;
  /** The rows that {@link readRows} reads. */
  readonly unread: UnreadRows[];
  /** Goes on until it is over, or until `isDue` returns true. Returns true once it is over. */
  goOn(isDue?: () => boolean): boolean;
}

/** The number of nodes between two questions whether a pause is due. */
const NODES_BETWEEN = 32;

interface Walk extends WalkContext {
  /** Holds the frames in use, and after them the free ones. */
  stack: Frame[];
  depth: number;
  run: TextRun;
  modal: Element | undefined;
  /** The modal dialog and its ancestors. */
  path: ReadonlySet<Element>;
  /** Takes the unread rows. It is undefined if all must be read. */
  unread: UnreadRows[] | undefined;
}

/** Returns the items of an element and everything inside it, under an item that represents nothing. */
export function walk(root: Element, context: WalkContext): Item {
  const pass = begin(root, context, { modal: undefined, unread: undefined });
  pass.goOn();
  return pass.top;
}

/**
 * Begins a pass over the document. Parts behind a modal dialog are left out. With `mayLeave`, rows of long lists may
 * stay unread.
 */
export function beginWalk(root: Element, context: WalkContext, mayLeave: boolean): Pass {
  const modal = topModal();
  return begin(root, context, { modal, unread: mayLeave && modal === undefined ? [] : undefined });
}

function begin(
  root: Element,
  context: WalkContext,
  { modal, unread }: { modal: Element | undefined; unread: UnreadRows[] | undefined },
): Pass {
  const top = newItem(root, "", "");
  const path: ReadonlySet<Element> = modal === undefined ? new Set() : pathTo(modal);
  const facts = factsOf(rootOf(root) ?? document, context.survey);
  const frame = baseFrame(root, top, facts, modal === undefined);
  const state: Walk = { ...context, ...begun(frame), modal, path, unread };
  const end = () => {
    flush(state.run, top);
    const behind = modal === undefined ? undefined : foldHidden(root, context.refs, modal);
    if (behind !== undefined) adopt(top, behind);
  };
  return {
    top,
    unread: unread ?? [],
    goOn(isDue) {
      for (let nodes = 1; state.depth > 0; nodes++) {
        step(state.stack[state.depth - 1] as Frame, state);
        if (isDue !== undefined && nodes % NODES_BETWEEN === 0 && isDue()) return false;
      }
      end();
      return true;
    },
  };
}

const begun = (frame: Frame) => ({ stack: [frame], depth: 1, run: emptyTextRun() });

/**
 * Reads unread rows that are still in their list, until all are read or `isDue` returns true. Returns true
 * once all are read.
 */
export function readRows(rows: UnreadRows, context: WalkContext, isDue?: () => boolean): boolean {
  const { frame, elements, around } = rows;
  const { item } = frame;
  const { size, holes } = item;
  const state: Walk = { ...context, ...begun(frame), modal: undefined, path: new Set(), unread: undefined };
  while (rows.read < elements.length) {
    const el = elements[rows.read++] as Element;
    if (parentOf(el) === frame.el) visit(el, frame, state);
    while (state.depth > 1) step(state.stack[state.depth - 1] as Frame, state);
    if (isDue?.()) break;
  }
  flush(state.run, item);
  item.unread = elements.length - rows.read;
  for (const outer of around) {
    outer.size += item.size - size;
    outer.holes += item.holes - holes;
    outer.live ||= item.live;
  }
  return item.unread === 0;
}

function step(frame: Frame, state: Walk): void {
  const node = nextNode(frame);
  if (node === null) {
    state.depth -= 1;
    close(frame, state);
    return;
  }
  const type = nodeTypeOf(node);
  if (type === ELEMENT) {
    if (isLong(frame) && leaves(node as Element, frame, state)) return;
    visit(node as Element, frame, state);
  } else if ((type === TEXT || type === CDATA) && !frame.mute && !frame.unseen) {
    addText(state.run, dataOf(node as Text), frame.el, frame.keeps);
  }
}

/** Leaves the last rows of a long list unread, if that can be. */
function leaves(el: Element, frame: Frame, { unread, stack, depth, memo, run }: Walk): boolean {
  // A text that goes on will become the list's last node.
  if (run.from !== undefined) return false;
  frame.mayLeave = false;
  // Elements that an earlier pass has read cost little.
  const rows = memo?.has(el) ? undefined : leaveRows(el, frame, stack.slice(0, depth));
  if (rows !== undefined) unread?.push(rows);
  return rows !== undefined;
}

function visit(el: Element, parent: Frame, state: Walk): void {
  const tag = tagOf(el);
  if (tag === "br") addText(state.run, "\n", el, parent.keeps);
  if (tag === "br" || SILENT_TAGS.has(tag) || isElsewhere(el, parent, state)) return;
  if (state.memo !== undefined && reuse(el, parent, state, state.memo)) return;
  const visibility = state.survey.knowsShown(el, tag) ? "shown" : visibilityOf(el, tag);
  if (visibility !== "gone") visitShown(el, tag, visibility === "unseen", parent, state);
  else if (has(el, "popover")) state.survey.links?.restless(el, true);
}

function visitShown(el: Element, tag: string, unseen: boolean, parent: Frame, state: Walk): void {
  const flags = flagsOf(el);
  noteTies(el, tag, flags, state);
  // The walk's root was requested by its ref, so it is shown even if it is hidden.
  if ((flags & (INERT | ARIA_HIDDEN)) !== 0 && state.depth > 1 && isHiddenPart(el, flags)) {
    fold(el, parent, state);
    return;
  }
  const passes = passesHere(el, flags, parent);
  const item = unseen ? undefined : makeItem(el, tag, flags, parent, passes, state);
  if (item?.closed) {
    flush(state.run, parent.item);
    const from = parent.item.children.length;
    if (tag === "select") addOptions(item, state.refs);
    settleItem(item, parent.item, state.refs);
    keep(el, parent, from, state);
    return;
  }
  const skipped = skipsContent(el, flags, parent.root.styles.skipped);
  const keeps =
    tag === "pre" ||
    (keepsBreaks(el, flags, parent.root.styles, parent.keeps && isBlock(tag)) ?? parent.keeps);
  if (!unseen && !skipped && takeText(el, tag, item, keeps, parent, state)) return;
  const frame = state.stack[state.depth] ?? { ...parent };
  setFrame(frame, el, tag, flags, parent, state.survey);
  frame.passes = passes;
  frame.keeps = keeps;
  // A closed details shows only its summary. Elements inside have a visibility of their own, but text has none.
  frame.unseen = unseen || skipped || (tag === "details" && !has(el, "open"));
  if (state.memo?.isDeep(el)) frame.fresh = true;
  if (el === state.modal) frame.inModal = true;
  // Beside the path to the modal dialog, text is as hidden as elements are.
  if (!frame.inModal) frame.unseen = true;
  enter(frame, tag, item, parent, state);
}

/** Reports if the element is behind the modal dialog, or if another element owns and shows it. */
function isElsewhere(el: Element, parent: Frame, state: Walk): boolean {
  if (!parent.inModal && el !== state.modal && !state.path.has(el)) return true;
  return parent.root.hasOwners && !parent.inOwned && state.survey.isOwned(el);
}

/** The content of such an element is not its whole text, or appears elsewhere. */
const NEVER_SHORT = new Set(["slot", "label", "legend", "figcaption", "details", "abbr"]);

/** Takes the short way for an element that holds one text and nothing else, as most do. */
function takeText(
  el: Element,
  tag: string,
  item: Item | undefined,
  keeps: boolean,
  parent: Frame,
  state: Walk,
): boolean {
  const text = onlyTextOf(el);
  if (text === undefined || parent.mute) return false;
  if (parent.root.hasOwners || NEVER_SHORT.has(tag)) return false;
  if (mayHavePseudo(el, parent.root.styles) || (item !== undefined && PHRASES.has(item.role))) return false;
  if (item !== undefined) {
    flush(state.run, parent.item);
    const from = parent.item.children.length;
    addText(state.run, dataOf(text), el, keeps && item.name === "");
    flush(state.run, item);
    settleItem(item, parent.item, state.refs);
    keep(el, parent, from, state);
  } else if (isBlock(tag)) {
    flush(state.run, parent.item);
    const from = parent.item.children.length;
    addText(state.run, dataOf(text), el, keeps);
    flush(state.run, parent.item);
    keep(el, parent, from, state);
  } else {
    cross(state.run, el);
    addText(state.run, dataOf(text), el, keeps);
    cross(state.run, el);
  }
  return true;
}

/**
 * Uses the nodes that the element gave in an earlier pass. The element ends the run of text before it and after it, as
 * it did then.
 */
function reuse(el: Element, parent: Frame, state: Walk, memo: Memo): boolean {
  const nodes = memo.take(el, contextOf(parent), parent.fresh);
  if (nodes === undefined) return false;
  flush(state.run, parent.item);
  if ("kind" in nodes) adopt(parent.item, nodes);
  else for (const node of nodes) adopt(parent.item, node);
  return true;
}

/** Keeps what the element gave: the nodes that its parent's item has received since. */
function keep(el: Element, parent: Frame, from: number, { memo }: Walk): void {
  memo?.keep(el, contextOf(parent), parent.item.children, from);
}

function fold(el: Element, parent: Frame, state: Walk): void {
  const code = parent.item.role === "code" ? drawnCode(el) : "";
  if (code !== "") {
    flush(state.run, parent.item);
    addText(state.run, code, el, true);
    flush(state.run, parent.item);
    return;
  }
  const folded = foldHidden(el, state.refs);
  if (folded === undefined) return;
  flush(state.run, parent.item);
  adopt(parent.item, folded);
}

// With an unreadable sheet, all elements would be asked. So only those that would get a ref are asked (in makeItem).
function passesHere(el: Element, flags: number, parent: Frame): boolean {
  const candidates = parent.root.styles.pointerEvents;
  return candidates === "all" ? false : (passesPointer(el, flags, candidates) ?? parent.passes);
}

function enter(frame: Frame, tag: string, item: Item | undefined, parent: Frame, state: Walk): void {
  const shadow = shadowRootOf(frame.el);
  if (shadow !== null) state.noteRoot(shadow);
  if (item === undefined) enterWrapper(frame, tag, parent, state);
  else if (isPlainPhrase(item)) state.run = beginPhrase(frame, item, state.run);
  else {
    flush(state.run, parent.item);
    frame.from = parent.item.children.length;
    frame.item = item;
    frame.closes = "item";
    // A name is on one line, and the item's content is compared with it.
    if (item.name !== "") frame.keeps = false;
    // A scrolling region is no widget, so a pointer cursor in it adds something.
    if (item.ref !== 0) frame.inWidget = !item.states.startsWith(SCROLLABLE);
    frame.mayLeave = shadow === null && state.unread !== undefined;
  }
  state.stack[state.depth++] = frame;
  if (!frame.unseen && !frame.mute) addPseudo(frame, "::before", state);
}

function enterWrapper(frame: Frame, tag: string, parent: Frame, state: Walk): void {
  if (isBlock(tag)) {
    flush(state.run, parent.item);
    frame.from = parent.item.children.length;
    frame.closes = "block";
  } else {
    cross(state.run, frame.el);
    if (tag === "abbr") frame.closes = "abbreviation";
  }
  if (isSaidElsewhere(frame.el, tag, parent.item, state.survey)) frame.mute = true;
}

/** Adds the full form that an abbreviation gives. */
function addExpansion({ el, mute, unseen }: Frame, run: TextRun): void {
  if (mute || unseen || run.from === undefined) return;
  const title = collapsed(attr(el, "title") ?? "");
  if (title !== "" && !run.text.endsWith(title)) addText(run, ` (${shortened(title, TITLE_MAX)})`, el);
}

const TITLE_MAX = 200;

const NAMING_PARTS = new Set(["legend", "figcaption"]);

function addPseudo(frame: Frame, which: "::before" | "::after", state: Walk): void {
  if (!mayHavePseudo(frame.el, frame.root.styles)) return;
  const text = pseudoText(frame.el, which, state.survey);
  if (text !== "") addText(state.run, text, frame.el);
}

function close(frame: Frame, state: Walk): void {
  if (frame.el === frame.item.el && frame.item.role === "") return;
  if (!frame.unseen && !frame.mute) addPseudo(frame, "::after", state);
  const outer = state.stack[state.depth - 1] as Frame;
  switch (frame.closes) {
    case "item":
      flush(state.run, frame.item);
      settleItem(frame.item, outer.item, state.refs);
      keep(frame.el, outer, frame.from, state);
      return;
    case "phrase":
      state.run = settlePhrase(frame.item, state.run, frame.outer ?? emptyTextRun(), outer.item);
      return;
    case "block":
      flush(state.run, frame.item);
      // The kept nodes of these would depend on the element around them.
      if (!NAMING_PARTS.has(tagOf(frame.el))) keep(frame.el, outer, frame.from, state);
      return;
    case "abbreviation":
      addExpansion(frame, state.run);
      cross(state.run, frame.el);
      return;
    case "inline":
      cross(state.run, frame.el);
  }
}
