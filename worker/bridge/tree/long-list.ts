// Leaves the last rows of a long list unread. They are counted, because each of them gives one item.

import { skipsContent } from "../aria/interactive.ts";
import {
  attr,
  dataOf,
  ELEMENT,
  firstChildOf,
  has,
  hasAttributes,
  nextElementOf,
  nextSiblingOf,
  nodeTypeOf,
  shadowRootOf,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import { HIDDEN, STYLE } from "../dom/flags.ts";
import { visibilityOf } from "../dom/visibility.ts";
import { hasOwnText } from "../dom/xpath.ts";
import type { Candidates } from "../styles/style-rules.ts";
import type { Item, Node as TreeNode } from "./item.ts";
import { saysContent } from "./settle-item.ts";
import { type Frame, mayHavePseudo } from "./walk-frame.ts";

/** An element of these roles gives an item if it is visible and shows text. No style or listener changes its rank. */
const COUNTED_ROLES = new Set(["listitem", "row", "article"]);

/** So many items of a list and inside it are read at once. They take more room than a snapshot has by default. */
const READ_AT_ONCE = 1_200;

/** Fewer rows are read at once. */
const UNREAD_MIN = 16;

/** The end of a long list, whose elements are counted but not read. */
export interface UnreadRows {
  /** The list's own frame. */
  frame: Frame;
  elements: Element[];
  /** The number of these elements that were read. */
  read: number;
  /** The items around the list. */
  around: readonly Item[];
  /** The elements around the list as it is rendered, and the list itself. */
  path: readonly Element[];
}

/** Reports if enough items of the list are read. */
export const isLong = ({ mayLeave, item }: Frame): boolean => mayLeave && item.size >= READ_AT_ONCE;

/**
 * Ends the reading of a list before `first`, and returns the unread rows. It returns undefined if the whole list must be read.
 * `stack`: the frames down to the list's own.
 */
export function leaveRows(first: Element, frame: Frame, stack: readonly Frame[]): UnreadRows | undefined {
  const { el, item, root, keeps, mute, unseen } = frame;
  // Such a list has other elements than its children, or its text counts.
  if (frame.list !== undefined || frame.owned !== undefined || root.hasOwners) return undefined;
  if (mute || unseen || keeps || mayHavePseudo(el, root.styles)) return undefined;
  const items = new Set(stack.map((each) => each.item));
  if ([...items].some(saysContent)) return undefined;
  const elements = alikeRows(el, first, item.children.at(-1), root.styles.skipped);
  if (elements === undefined) return undefined;
  frame.next = null;
  item.unread = elements.length;
  items.delete(item);
  return { frame: { ...frame }, elements, read: 0, around: [...items], path: stack.map((each) => each.el) };
}

/**
 * Returns the elements of a list from `first` to its end, or undefined if they cannot be counted. Each of them is sure to
 * give one item with the role of `read`, which is the item before them. Nothing else stands there.
 */
function alikeRows(
  list: Element,
  first: Element,
  read: TreeNode | undefined,
  skipping: Candidates,
): Element[] | undefined {
  if (read?.kind !== "element" || !COUNTED_ROLES.has(read.role) || hasOwnText(list)) return undefined;
  const tag = tagOf(read.el);
  const role = attr(read.el, "role");
  // A role that an element does not take from its tag may depend on its other attributes.
  if (role !== null && role !== read.role) return undefined;
  const rows: Element[] = [];
  for (let el: Element | null = first; el !== null; el = nextElementOf(el)) {
    if (
      tagOf(el) !== tag ||
      attr(el, "role") !== role ||
      !isPlain(el, tag, skipping) ||
      !showsText(el, LEVELS_MAX, skipping)
    )
      return undefined;
    rows.push(el);
  }
  return rows.length < UNREAD_MIN ? undefined : rows;
}

function isPlain(el: Element, tag: string, skipping: Candidates): boolean {
  const isMarked = hasAttributes(el);
  if (isMarked && (has(el, "inert") || has(el, "aria-hidden"))) return false;
  const flags = isMarked ? (has(el, "hidden") ? HIDDEN : 0) | (has(el, "style") ? STYLE : 0) : 0;
  if (skipsContent(el, flags, skipping)) return false;
  return shadowRootOf(el) === null && visibilityOf(el, tag) === "shown";
}

/** The first text of a list's element is at most this many levels below it. */
const LEVELS_MAX = 5;

/** Text in these tags is always shown where it stands, if the element is visible. */
const PLAIN_TAGS = new Set(
  "a article b button dd div dl dt em h1 h2 h3 h4 h5 h6 i li ol p section small span strong td th tr ul".split(
    " ",
  ),
);

/** Other characters may show nothing. */
const LETTER = /[\p{L}\p{N}]/u;

/** Reports if the element is sure to show text: its own, or that of an element inside it. */
function showsText(el: Element, levels: number, skipping: Candidates): boolean {
  for (let node: Node | null = firstChildOf(el); node !== null; node = nextSiblingOf(node)) {
    const type = nodeTypeOf(node);
    if (type === TEXT && LETTER.test(dataOf(node as Text))) return true;
    if (type !== ELEMENT || levels === 0) continue;
    const inner = node as Element;
    const tag = tagOf(inner);
    if (PLAIN_TAGS.has(tag) && isPlain(inner, tag, skipping) && showsText(inner, levels - 1, skipping))
      return true;
  }
  return false;
}
