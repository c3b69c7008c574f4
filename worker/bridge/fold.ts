// The tree within so many levels and so many characters: runs of like siblings are folded, then deep parts closed, as
// little as it takes. Each line of a fold names the call that opens it.

import type { Fold, Item, Node } from "./item.ts";
import { type Printed, type PrintOptions, print, sizeOf, type View } from "./print.ts";

export interface FoldOptions extends PrintOptions {
  /** Levels below the first; without it, all. */
  depth?: number | undefined;
  /** How many children of the first item, or of the top, are skipped. */
  offset?: number | undefined;
  /** The number of a ref by which what is left out of an item can be opened. */
  refOf(item: Item): number;
  /** A number no shorter than those that refs get next. */
  longRef(): number;
}

/** How much is shown: so many siblings of a kind in a row, so many levels. */
interface Caps {
  siblings: number;
  depth: number;
}

const SIBLINGS_MIN = 3;
const DEPTH_MAX = 40;

/** Prints what is under `top`, with as little left out as there is room for. */
export function printFolded(top: Item, options: FoldOptions): Printed {
  const caps = capsFor(top, options);
  return caps ? printCapped(top, options, caps) : printCut(top, options);
}

/** The widest that there is room for; undefined where there is none for the least that is of use. */
function capsFor(top: Item, options: FoldOptions): Caps | undefined {
  const { room, depth = Number.POSITIVE_INFINITY } = options;
  const all: Caps = { siblings: Number.POSITIVE_INFINITY, depth };
  if (room === undefined) return all;
  const attempt = attempting(options);
  const fits = (caps: Caps) => printCapped(top, attempt, caps).fits;
  if (fits(all)) return all;
  const most = Math.max(SIBLINGS_MIN, room >> 2);
  const siblings = largest(SIBLINGS_MIN, most, (count) => fits({ siblings: count, depth }));
  if (siblings !== undefined) return { siblings, depth };
  // What was opened and is closed again leads nowhere.
  const least = Math.min(depth, openedIn(top) === top ? 0 : 1);
  const levels = largest(least, Math.min(depth, DEPTH_MAX), (count) =>
    fits({ siblings: SIBLINGS_MIN, depth: count }),
  );
  return levels === undefined ? undefined : { siblings: SIBLINGS_MIN, depth: levels };
}

/** Attempts give out no refs: only what is told has some. */
function attempting(options: FoldOptions): FoldOptions {
  const long = options.longRef();
  return { ...options, refOf: (item: Item) => item.ref || long };
}

/** What was asked for by a ref of its own has a line; its children are what the offset counts. */
function openedIn(top: Item): Item {
  const first = top.children[0];
  return first?.kind === "element" && first.el === top.el ? first : top;
}

/** The first children alone, as many as there is room for, each closed; the last line leads to the rest. */
function printCut(top: Item, options: FoldOptions): Printed {
  const opened = openedIn(top);
  const { offset = 0 } = options;
  const depth = opened === top ? 0 : 1;
  const printed = (count: number, { refOf, ...others }: FoldOptions) => {
    const end = offset + count;
    const view = (item: Item, level: number): View =>
      item === opened
        ? { nodes: [...item.children.slice(offset, end), restOf(item, end, refOf(item))], ref: refOf(item) }
        : viewOf(item, level, 0, { siblings: SIBLINGS_MIN, depth }, { ...others, refOf });
    return print(opened === top ? view(top, -1).nodes : top.children, { ...others, view });
  };
  const attempt = attempting(options);
  const count = largest(0, opened.children.length - offset - 1, (each) => printed(each, attempt).fits);
  return printed(count ?? 0, options);
}

function restOf(item: Item, from: number, ref: number): Fold {
  const size = sizeBetween(item, from, item.children.length);
  return { kind: "fold", el: item.el, text: moreOf(size), ref, offset: from, size };
}

/** The largest number that fits; undefined where the least does not. */
function largest(least: number, most: number, fits: (count: number) => boolean): number | undefined {
  if (!fits(least)) return undefined;
  let low = least;
  for (let high = most; low < high; ) {
    // Small numbers are likelier: a line has many characters.
    const middle = Math.min(high, Math.max(low + 1, Math.ceil(low + (high - low) / 4)));
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function printCapped(top: Item, options: FoldOptions, caps: Caps): Printed {
  const { offset = 0 } = options;
  const opened = openedIn(top);
  const view = (item: Item, level: number): View =>
    viewOf(item, level, item === opened ? offset : 0, caps, options);
  return print(opened === top ? view(top, -1).nodes : top.children, { ...options, view });
}

function viewOf(item: Item, level: number, offset: number, caps: Caps, { refOf }: FoldOptions): View {
  const { children } = item;
  if (level >= caps.depth) {
    const ref = refOf(item);
    return {
      nodes: [{ kind: "fold", el: item.el, text: moreOf(item.size), ref, offset: 0, size: item.size }],
      ref,
    };
  }
  if (offset === 0 && children.length <= caps.siblings + 1) return { nodes: children, ref: item.ref };
  const nodes: Node[] = [];
  let isFolded = false;
  for (const { from, to, like } of stretches(children, offset, caps.siblings)) {
    if (like !== undefined) {
      isFolded = true;
      nodes.push(foldOf(item, from, to, like, refOf(item)));
    } else for (let index = from; index < to; index++) nodes.push(children[index] as Node);
  }
  return { nodes, ref: isFolded ? refOf(item) : item.ref };
}

function foldOf(item: Item, from: number, to: number, like: string, ref: number): Fold {
  const size = sizeBetween(item, from, to);
  const count = (to - from).toLocaleString("en-US");
  const text = like === "" ? `${count} more` : `${count} more ${like} like these`;
  return { kind: "fold", el: item.el, text, ref, offset: from, size };
}

function moreOf(size: number): string {
  return size === 0 ? "text" : `${size.toLocaleString("en-US")} more`;
}

function sizeBetween({ children }: Item, from: number, to: number): number {
  let size = 0;
  for (let index = from; index < to; index++) size += sizeOf(children[index] as Node);
  return size;
}

/** A part of a list of siblings, shown or (with what they are, if they are alike) folded. */
interface Stretch {
  from: number;
  to: number;
  like: string | undefined;
}

/** Siblings of different kinds in turn are shown up to so many times as many as of one kind. */
const KINDS = 4;

/** Of a run of one kind the first ones are shown, and of all together somewhat more; a single one is never folded. */
function stretches(children: readonly Node[], offset: number, cap: number): Stretch[] {
  const result: Stretch[] = [];
  const end = children.length;
  let room = KINDS * cap;
  for (let from = offset; from < end; ) {
    if (room <= 0 && end - from > 1) return [...result, { from, to: end, like: "" }];
    const kind = kindOf(children[from] as Node);
    let to = from + 1;
    while (to < end && kindOf(children[to] as Node) === kind) to += 1;
    const most = Math.min(cap, Math.max(1, room));
    const seen = to - from <= most + 1 ? to : from + most;
    result.push({ from, to: seen, like: undefined });
    if (seen < to) result.push({ from: seen, to, like: kind });
    room -= seen - from;
    from = to;
  }
  return result;
}

function kindOf(node: Node): string {
  return node.kind === "element" ? node.role : node.kind === "words" ? "text" : "part";
}
