// Prints the tree within a number of levels and of characters. Long texts are cut and siblings folded first, then deep
// parts are closed, each as little as possible. Each fold's line names the call that opens it.

import { MASK } from "../aria/value.ts";
import { shortened } from "../dom/quote.ts";
import { type Fold, type Item, type Node, UNREAD, type Words } from "./item.ts";
import { inlineText, type Printed, type PrintOptions, print, sizeOf, type View } from "./print.ts";
import { type Run, runsOf, stretches } from "./stretches.ts";
import { widest } from "./widest.ts";

export interface FoldOptions extends PrintOptions {
  /** The number of levels below the first. Without it, all levels are shown. */
  depth?: number | undefined;
  /** The number of skipped children of the first item, or of the top. */
  offset?: number | undefined;
  /** Returns the number of a ref that opens the folded part of an item. */
  refOf(item: Item): number;
  /** Returns a number that is no shorter than the numbers of the next refs. */
  longRef(): number;
}

/** Limits what is shown: the width of an element's content, the length of a text, the number of levels. */
interface Caps {
  width: number;
  text: number;
  depth: number;
}

const WIDTH_MIN = 2;
const DEPTH_MAX = 40;
/** A text keeps at least this many characters, and this many characters for each unit of width. */
const TEXT_MIN = 200;
const TEXT_SHARE = 20;
/** A shorter rest takes no more room than the line that would replace it. */
const REST_MIN = 100;

/** Several attempts meet the same items, so the runs of their children are found once. */
interface Folding extends FoldOptions {
  runs(item: Item): readonly Run[];
}

/**
 * Prints the items under `top` and leaves out as little as the room allows. In the result, `needsUnread` says that only
 * the tree with its unread rows shows what the whole would give.
 */
export function printFolded(top: Item, given: FoldOptions): Printed {
  const options = folding(given);
  let needsUnread = false;
  const caps = capsFor(top, options, (tried) => {
    if (tried.fits && tried.needsUnread) needsUnread = true;
  });
  const printed = caps ? printCapped(top, options, caps) : printCut(top, options);
  // Deep parts are closed by their sizes.
  const bySize = caps === undefined || Number.isFinite(caps.depth);
  return { ...printed, needsUnread: needsUnread || (bySize && !isRead(top)) };
}

function folding(given: FoldOptions): Folding {
  const known = new Map<Item, readonly Run[]>();
  return {
    ...given,
    runs(item) {
      const found = known.get(item) ?? runsOf(item.children, item.unread);
      known.set(item, found);
      return found;
    },
  };
}

/** Returns the widest caps that the room allows. It returns undefined if even the least useful ones do not fit. */
function capsFor(top: Item, options: Folding, tried: (printed: Printed) => void): Caps | undefined {
  const { room, depth = Number.POSITIVE_INFINITY } = options;
  const all: Caps = { width: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY, depth };
  if (room === undefined) return all;
  const attempt = attempting(options);
  const leaves = (caps: Caps) => {
    const printed = printCapped(top, attempt, caps);
    tried(printed);
    return printed.room;
  };
  const fits = (caps: Caps) => leaves(caps) >= 0;
  if (fits(all)) return all;
  const width = widest(WIDTH_MIN, room, (each) => leaves(capsOf(each, depth)));
  if (width !== undefined) return capsOf(width, depth);
  // An item that the client opened must not come back closed.
  const least = Math.min(depth, openedIn(top) === top ? 0 : 1);
  const levels = largest(least, Math.min(depth, DEPTH_MAX), (each) => fits(capsOf(WIDTH_MIN, each)));
  return levels === undefined ? undefined : capsOf(WIDTH_MIN, levels);
}

function capsOf(width: number, depth: number): Caps {
  return { width, text: Math.max(TEXT_MIN, TEXT_SHARE * width), depth };
}

/** Attempts give out no refs: only a delivered element gets one. */
function attempting(options: Folding): Folding {
  const long = options.longRef();
  return { ...options, refOf: (item: Item) => item.ref || long };
}

/** An element that was requested by its own ref has a line. The offset counts its children. */
function openedIn(top: Item): Item {
  const first = top.children[0];
  return first?.kind === "element" && first.el === top.el ? first : top;
}

/** Prints only the first children, as many as the room allows, each of them closed. The last line leads to the rest. */
function printCut(top: Item, options: Folding): Printed {
  const opened = openedIn(top);
  const { offset = 0 } = options;
  const least = capsOf(WIDTH_MIN, opened === top ? 0 : 1);
  const printed = (count: number, { refOf, ...others }: Folding) => {
    const end = offset + count;
    const view = (item: Item, level: number): View =>
      item === opened
        ? { nodes: [...item.children.slice(offset, end), restOf(item, end, refOf(item))], ref: refOf(item) }
        : viewOf(item, level, 0, least, { ...others, refOf });
    const textView = textViewOf(opened, least, { ...others, refOf });
    return print(opened === top ? view(top, -1).nodes : top.children, { ...others, view, textView });
  };
  const attempt = attempting(options);
  const count = largest(0, opened.children.length - offset - 1, (each) => printed(each, attempt).fits);
  return printed(count ?? 0, options);
}

function restOf(item: Item, from: number, ref: number): Fold {
  const size = sizeBetween(item, from, item.children.length);
  return { kind: "fold", el: item.el, text: moreOf(size), ref, offset: from, size };
}

/** Returns about the largest number that fits, or undefined if the least one does not. */
function largest(least: number, most: number, fits: (count: number) => boolean): number | undefined {
  if (!fits(least)) return undefined;
  let low = least;
  // A result nearer than an eighth is not worth more attempts.
  for (let high = most; low < high - (low >> 3); ) {
    // Small numbers are likelier, because a line has many characters.
    const middle = Math.min(high, Math.max(low + 1, Math.ceil(low + (high - low) / 4)));
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function printCapped(top: Item, options: Folding, caps: Caps): Printed {
  const { offset = 0 } = options;
  const opened = openedIn(top);
  const favoured = new Set<Item>();
  const view = (item: Item, level: number): View => {
    const width = isFavoured(item, favoured) ? FAVOUR * caps.width : caps.width;
    // An item that the client opened must not come back cut.
    if (item === opened)
      return viewOf(item, level, offset, { ...caps, width, text: Number.POSITIVE_INFINITY }, options);
    return viewOf(item, level, 0, width === caps.width ? caps : { ...caps, width }, options);
  };
  const textView = Number.isFinite(caps.text) ? textViewOf(opened, caps, options) : undefined;
  return print(opened === top ? view(top, -1).nodes : top.children, { ...options, view, textView });
}

/** These items may be wider than others by this factor, so their content is folded later. */
const FAVOUR = 4;
const FAVOURED = new Set(
  "navigation banner form search dialog alertdialog toolbar menu menubar tablist radiogroup".split(" "),
);

function isFavoured(item: Item, favoured: Set<Item>): boolean {
  if (!FAVOURED.has(item.role) && !favoured.has(item)) return false;
  for (const child of item.children) if (child.kind === "element") favoured.add(child);
  return true;
}

function viewOf(item: Item, level: number, offset: number, caps: Caps, { refOf, runs }: Folding): View {
  const { children } = item;
  if (level >= caps.depth) {
    const ref = refOf(item);
    return { nodes: [closedFold(item, ref)], ref };
  }
  if (offset === 0 && holdsLittle(item, caps))
    return { nodes: item.unread > 0 ? [...children, UNREAD] : children, ref: item.ref };
  const nodes: Node[] = [];
  let isFolded = false;
  const put = (node: Node) => {
    if (node.kind !== "words" || !isLong(node.text, caps)) return nodes.push(node);
    isFolded = true;
    return nodes.push(...cutText(node, node.text, caps.text, refOf(item)));
  };
  for (const { from, to, like } of stretches(runs(item), offset, caps.width)) {
    if (like !== undefined) {
      isFolded = true;
      if (like === "" && to - from === 1 && !isRead(children[from])) nodes.push(UNREAD);
      nodes.push(foldOf(item, from, to, like, refOf(item)));
    } else for (let index = from; index < to; index++) put(children[index] ?? UNREAD);
  }
  return { nodes, ref: isFolded ? refOf(item) : item.ref };
}

/** Reports if nothing of the item is left out, even if its children are alike. */
function holdsLittle({ children, unread }: Item, caps: Caps): boolean {
  const { width } = caps;
  if (width === Number.POSITIVE_INFINITY) return true;
  if (children.length + unread > Math.max(1, width >> 2)) return false;
  return children.every((node) => node.kind !== "words" || !isLong(node.text, caps));
}

/**
 * Shows an item of one long text by its beginning and a fold that opens the rest. The opened item itself is not cut.
 */
function textViewOf(opened: Item, caps: Caps, { refOf }: Folding): (item: Item) => View | undefined {
  return (item) => {
    const text = inlineText(item);
    if (item === opened || text === undefined || !isLong(text, caps) || item.value === MASK) return undefined;
    const ref = refOf(item);
    return { nodes: cutText(item, text, caps.text, ref), ref };
  };
}

function isLong(text: string, caps: Caps): boolean {
  return text.length > caps.text + REST_MIN;
}

function cutText({ el }: Item | Words, text: string, max: number, ref: number): Node[] {
  const rest = `${grouped(text.length - max)} more characters`;
  const words: Words = { kind: "words", el, text: shortened(text, max) };
  return [words, { kind: "fold", el, text: rest, ref, offset: 0, size: 1 }];
}

/** Replaces the whole content of a closed item. */
function closedFold(item: Item, ref: number): Fold {
  return { kind: "fold", el: item.el, text: moreOf(item.size), ref, offset: 0, size: Math.max(1, item.size) };
}

function foldOf(item: Item, from: number, to: number, like: string, ref: number): Fold {
  const base = { kind: "fold", el: item.el, ref, offset: from } as const;
  if (like === "" && to - from === 1) {
    const size = sizeBetween(item, from, to);
    return { ...base, text: moreOf(size), size: Math.max(1, size) };
  }
  const more = `${grouped(to - from)} more`;
  return { ...base, text: like === "" ? more : `${more} ${like} like these`, size: to - from };
}

/** Reports if all inside the node is read, so that its size is known. */
function isRead(node: Node | undefined): boolean {
  if (node?.kind !== "element") return node !== undefined;
  return node.unread === 0 && node.children.every(isRead);
}

function moreOf(size: number): string {
  return size === 0 ? "text" : `${grouped(size)} more`;
}

function sizeBetween({ children }: Item, from: number, to: number): number {
  let size = 0;
  for (let index = from; index < to; index++) size += sizeOf(children[index] as Node);
  return size;
}

/** Writes 1,204. The browser's own way costs about 30 µs each time. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
