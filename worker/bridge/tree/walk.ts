// From the page to items: one pass over the tree as it is rendered (shadow roots, slots, aria-owns in their places).
// The stack is explicit, since pages may be thousands of levels deep.

import type { Controls } from "../aria/controls.ts";
import { keepsBreaks, passesPointer, skipsContent } from "../aria/interactive.ts";
import type { Internals } from "../aria/internals.ts";
import { labelledControl } from "../aria/native-name.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { pseudoText } from "../aria/pseudo-content.ts";
import { PHRASES, TELLING_PHRASES } from "../aria/role-names.ts";
import {
  attr,
  CDATA,
  dataOf,
  ELEMENT,
  has,
  nodeTypeOf,
  onlyTextOf,
  rootOf,
  shadowRootOf,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import { ARIA_HIDDEN, flagsOf, INERT, POPOVER, RESTLESS } from "../dom/flags.ts";
import { collapsed, shortened } from "../dom/quote.ts";
import type { RefStore } from "../dom/ref-store.ts";
import type { ShadowWatch } from "../dom/shadow-watch.ts";
import { SILENT_TAGS } from "../dom/silent-tags.ts";
import { isBlock } from "../dom/tag-flow.ts";
import { visibilityOf } from "../dom/visibility.ts";
import type { RootStyles } from "../styles/style-rules.ts";
import { drawnCode } from "./drawn-code.ts";
import { foldHidden, isHiddenPart, pathTo, topModal } from "./hidden-part.ts";
import { adopt, type Item, newItem } from "./item.ts";
import { makeItem } from "./make-item.ts";
import type { Memo } from "./memo.ts";
import { addOptions } from "./options.ts";
import { isSaidElsewhere } from "./said-elsewhere.ts";
import { SCROLLABLE, type Scrollers } from "./scrollers.ts";
import { settleItem, settlePhrase } from "./settle-item.ts";
import { addText, cross, emptyTextRun, flush, type TextRun } from "./text-run.ts";
import { baseFrame, beginPhrase, contextOf, type Frame, factsOf, nextNode, setFrame } from "./walk-frame.ts";

export interface WalkContext {
  survey: PassCache;
  refs: RefStore;
  /** Told of every open shadow root that is met. */
  noteRoot(root: ShadowRoot): void;
  /** What earlier looks found; undefined for a look that is not remembered. */
  memo?: Memo | undefined;
  controls?: Controls;
  scrollers?: Scrollers;
  shadows?: ShadowWatch;
  internals?: Internals;
}

interface Walk extends WalkContext {
  /** The frames in use, then those to be used again. */
  stack: Frame[];
  depth: number;
  run: TextRun;
  modal: Element | undefined;
  /** What the modal dialog stands in. */
  path: ReadonlySet<Element>;
}

/**
 * The items of an element and all inside it, under an item that stands for nothing.
 * `whole`: also what is behind a modal dialog.
 */
export function walk(root: Element, context: WalkContext, whole: boolean): Item {
  const top = newItem(root, "", "");
  const modal = whole ? undefined : topModal();
  const path: ReadonlySet<Element> = modal === undefined ? new Set() : pathTo(modal);
  const facts = factsOf(rootOf(root) ?? document, context.survey);
  const state: Walk = { ...context, stack: [], depth: 1, run: emptyTextRun(), modal, path };
  state.stack.push(baseFrame(root, top, facts, modal === undefined));
  while (state.depth > 0) step(state.stack[state.depth - 1] as Frame, state);
  flush(state.run, top);
  const behind = modal === undefined ? undefined : foldHidden(root, context.refs, modal);
  if (behind !== undefined) adopt(top, behind);
  return top;
}

function step(frame: Frame, state: Walk): void {
  const node = nextNode(frame);
  if (node === null) {
    state.depth -= 1;
    close(frame, state);
    return;
  }
  const type = nodeTypeOf(node);
  if (type === ELEMENT) look(node as Element, frame, state);
  else if ((type === TEXT || type === CDATA) && !frame.mute && !frame.unseen) {
    addText(state.run, dataOf(node as Text), frame.el, frame.keeps);
  }
}

function look(el: Element, parent: Frame, state: Walk): void {
  const tag = tagOf(el);
  if (tag === "br") addText(state.run, "\n", el, parent.keeps);
  if (tag === "br" || SILENT_TAGS.has(tag) || isElsewhere(el, parent, state)) return;
  if (state.memo !== undefined && reuse(el, parent, state, state.memo)) return;
  const visibility = state.survey.knowsShown(el, tag) ? "shown" : visibilityOf(el, tag);
  if (visibility !== "gone") lookAtShown(el, tag, visibility === "unseen", parent, state);
  else if (has(el, "popover")) state.survey.links?.restless(el, true);
}

function lookAtShown(el: Element, tag: string, unseen: boolean, parent: Frame, state: Walk): void {
  const flags = flagsOf(el);
  noteTies(el, tag, flags, state);
  // The root of the walk was asked for by its ref: it is shown even where it is hidden.
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
  // What a closed details holds besides its summary is not shown; elements in it say so themselves, text cannot.
  frame.unseen = unseen || skipped || (tag === "details" && !has(el, "open"));
  if (state.memo?.isDeep(el)) frame.fresh = true;
  if (el === state.modal) frame.inModal = true;
  // Beside the path to the modal dialog, text is as hidden as elements are.
  if (!frame.inModal) frame.unseen = true;
  enter(frame, tag, item, parent, state);
}

/** Behind the modal dialog, or owned by another element and shown there. */
function isElsewhere(el: Element, parent: Frame, state: Walk): boolean {
  if (!parent.inModal && el !== state.modal && !state.path.has(el)) return true;
  return parent.root.hasOwners && !parent.inOwned && state.survey.isOwned(el);
}

/** Whether they show another document, or are chosen, is a matter of scripts. */
const RESTLESS_TAGS = new Set(["object", "embed", "option"]);

/** What they hold is not all that they say, or is not said here. */
const NEVER_SHORT = new Set(["slot", "label", "legend", "figcaption", "details", "abbr"]);

/** The short way for an element that holds one text and nothing else, as most do. */
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

/** Takes what the element gave in an earlier look. It began and ended a run of text then, as it does now. */
function reuse(el: Element, parent: Frame, state: Walk, memo: Memo): boolean {
  const nodes = memo.take(el, contextOf(parent), parent.fresh);
  if (nodes === undefined) return false;
  flush(state.run, parent.item);
  if ("kind" in nodes) adopt(parent.item, nodes);
  else for (const node of nodes) adopt(parent.item, node);
  return true;
}

/** Keeps what the element gave: all that its parent's item has got since. */
function keep(el: Element, parent: Frame, from: number, { memo }: Walk): void {
  memo?.keep(el, contextOf(parent), parent.item.children, from);
}

// Whatever can change without a mutation, or by one elsewhere.
function noteTies(
  el: Element,
  tag: string,
  flags: number,
  { survey: { links }, controls, shadows, internals }: Walk,
): void {
  if (links === undefined) return;
  controls?.note(el, tag);
  if (shadowRootOf(el) === null) shadows?.note(el, tag);
  if (tag.includes("-")) internals?.meet(el, tag);
  if ((flags & POPOVER) !== 0) links.restless(el, true);
  if ((flags & RESTLESS) !== 0 || RESTLESS_TAGS.has(tag)) links.restless(el, false);
  const control = tag === "label" ? labelledControl(el) : null;
  if (control === null) return;
  links.depends(control, el);
  // One that is out of sight is not met.
  controls?.note(control, tagOf(control));
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

// Where a sheet cannot be read, all would have to be asked: then only what would get a ref is (in makeItem).
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
    // A name is on one line, and is compared with what the item holds.
    if (item.name !== "") frame.keeps = false;
    // A region that scrolls is no widget: a pointer cursor in it says something new.
    if (item.ref !== 0) frame.inWidget = !item.states.startsWith(SCROLLABLE);
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

/** An abbreviation says in full what it stands for. */
function addExpansion({ el, mute, unseen }: Frame, run: TextRun): void {
  if (mute || unseen || run.from === undefined) return;
  const title = collapsed(attr(el, "title") ?? "");
  if (title !== "" && !run.text.endsWith(title)) addText(run, ` (${shortened(title, TITLE_MAX)})`, el);
}

const TITLE_MAX = 200;

const NAMING_PARTS = new Set(["legend", "figcaption"]);

/** A mark on a part of running text, with nothing to say but its text. */
function isPlainPhrase(item: Item): boolean {
  return (
    PHRASES.has(item.role) &&
    !TELLING_PHRASES.has(item.role) &&
    item.name === "" &&
    item.ref === 0 &&
    item.states === "" &&
    !has(item.el, "role")
  );
}

// With a sheet that cannot be read each element would have to be asked twice: then only names ask.
function mayHavePseudo(el: Element, { pseudo, unreadable }: RootStyles): boolean {
  return !unreadable && (pseudo === "all" || pseudo.has(el));
}

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
      // What is kept of these depends on what they stand in.
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
