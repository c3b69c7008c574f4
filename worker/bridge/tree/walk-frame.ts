// Holds an element whose children are being read, and steps from child to child as they are rendered.

import type { PassCache } from "../aria/pass-cache.ts";
import { assignedTo, firstChildOf, nextSiblingOf, type Root, rootOf, shadowRootOf } from "../dom/dom.ts";
import { ARIA } from "../dom/flags.ts";
import type { RootStyles } from "../styles/style-rules.ts";
import type { Item } from "./item.ts";
import { emptyTextRun, type TextRun } from "./text-run.ts";

export interface Frame {
  el: Element;
  /** The item that takes the nodes found here. */
  item: Item;
  closes: "item" | "phrase" | "block" | "abbreviation" | "inline";
  /** The run around a phrase. */
  outer: TextRun | undefined;
  next: ChildNode | null;
  list: readonly Node[] | undefined;
  at: number;
  /** The elements that aria-owns adds after the children. */
  owned: readonly Element[] | undefined;
  inOwned: boolean;
  root: RootFacts;
  /** Text here already appears elsewhere, as the name of the control of a label. */
  mute: boolean;
  /** With `visibility: hidden`, the text is not visible, but elements inside may be. */
  unseen: boolean;
  /** Line breaks and indentation are part of the text. */
  keeps: boolean;
  /** The pointer passes through. */
  passes: boolean;
  /** The element is inside something that has a ref. */
  inWidget: boolean;
  /** The element is inside the modal dialog, or there is no dialog. */
  inModal: boolean;
  /** Nothing inside may come from an earlier pass. */
  fresh: boolean;
  /** The number of nodes that the parent's item had before this element. */
  from: number;
  /** The last children may stay unread, once enough of them are read. */
  mayLeave: boolean;
}

/** Holds the facts of a whole document or shadow root. */
export interface RootFacts {
  styles: RootStyles;
  hasOwners: boolean;
}

export function factsOf(root: Root, survey: PassCache): RootFacts {
  return { styles: survey.stylesOf(root), hasOwners: survey.hasOwners(root) };
}

// With an unreadable sheet, each element would be asked twice. So only the computation of names asks.
export function mayHavePseudo(el: Element, { pseudo, unreadable }: RootStyles): boolean {
  return !unreadable && (pseudo === "all" || pseudo.has(el));
}

/** Returns the lowest frame. Its only node is the root element itself. */
export function baseFrame(el: Element, item: Item, root: RootFacts, inModal: boolean): Frame {
  return {
    el,
    item,
    closes: "block",
    outer: undefined,
    next: null,
    list: [el],
    at: 0,
    owned: undefined,
    inOwned: true,
    root,
    mute: false,
    unseen: false,
    keeps: false,
    passes: false,
    inWidget: false,
    inModal,
    fresh: false,
    from: 0,
    mayLeave: false,
  };
}

/**
 * Sets `frame` to an element in its parent's frame, as a wrapper. The caller sets an item of its own. Frames are used
 * again and again, because a page has far more elements than levels.
 */
export function setFrame(
  frame: Frame,
  el: Element,
  tag: string,
  flags: number,
  parent: Frame,
  survey: PassCache,
): void {
  const shadow = shadowRootOf(el);
  const assigned = tag === "slot" ? assignedTo(el) : NO_NODES;
  frame.el = el;
  frame.item = parent.item;
  frame.closes = "inline";
  frame.outer = undefined;
  frame.next = assigned.length > 0 ? null : firstChildOf(shadow ?? el);
  frame.list = assigned.length > 0 ? assigned : undefined;
  frame.at = 0;
  frame.owned = parent.root.hasOwners && (flags & ARIA) !== 0 ? survey.ownedBy(el) : undefined;
  frame.inOwned = false;
  frame.root = shadow === null ? rootFacts(parent, assigned, survey) : factsOf(shadow, survey);
  frame.mute = parent.mute;
  frame.unseen = false;
  frame.keeps = parent.keeps;
  frame.passes = parent.passes;
  frame.inWidget = parent.inWidget;
  frame.inModal = parent.inModal;
  frame.fresh = parent.fresh;
  frame.from = 0;
  frame.mayLeave = false;
}

/** Encodes the surroundings that an element's line and content depend on. */
export function contextOf(parent: Frame): number {
  return (
    (parent.mute ? 1 : 0) +
    (parent.passes ? 2 : 0) +
    (parent.inWidget ? 4 : 0) +
    (parent.inModal ? 8 : 0) +
    (parent.inOwned ? 16 : 0) +
    (parent.keeps ? 32 : 0)
  );
}

const NO_NODES: readonly Node[] = [];

// The styles of a slot's assigned nodes come from the tree of these nodes.
function rootFacts(parent: Frame, assigned: readonly Node[], survey: PassCache): RootFacts {
  const first = assigned[0];
  const root = first === undefined ? undefined : rootOf(first);
  return root === undefined ? parent.root : factsOf(root, survey);
}

/** Returns the next child to read, or null after the last. */
export function nextNode(frame: Frame): Node | null {
  if (frame.list !== undefined) {
    const node = frame.list[frame.at++];
    if (node !== undefined) return node;
    frame.list = undefined;
  } else if (frame.next !== null) {
    const node = frame.next;
    frame.next = nextSiblingOf(node);
    return node;
  }
  if (frame.owned === undefined) return null;
  frame.list = frame.owned;
  frame.owned = undefined;
  frame.inOwned = true;
  frame.at = 1;
  return frame.list[0] ?? null;
}

/** Begins a phrase. Its text is gathered apart until it is known if the phrase is alone. */
export function beginPhrase(frame: Frame, item: Item, run: TextRun): TextRun {
  frame.item = item;
  frame.closes = "phrase";
  frame.outer = run;
  return emptyTextRun();
}
