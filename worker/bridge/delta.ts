// What changed between two trees, told by the lines that are new, changed or gone, each with its place. Parts that are
// the same object in both are not looked at.

import { alignment, type Pair } from "./alignment.ts";
import type { FrameHole } from "./api.ts";
import type { Fold, Item, Node } from "./item.ts";
import { foldText, hasLinesBelow, inlineText, lineOf, type PrintOptions, print, refText } from "./print.ts";
import { inlined, quoted, shortened } from "./quote.ts";
import { LANDMARKS } from "./role-names.ts";

export interface Delta {
  lines: string[];
  /** The iframes that came, by their lines. */
  frames: FrameHole[];
}

export interface DeltaOptions extends PrintOptions {
  /** What the document is called. */
  place?: string | undefined;
}

type Change =
  | { kind: "changed"; path: Path; node: Node; oldRef: number }
  | { kind: "added"; path: Path; from: number; to: number; siblings: readonly Node[] }
  | { kind: "removed"; path: Path; nodes: Node[] };

/** What a node stands in, from the inside out, and where each stands among its siblings. */
type Path = { item: Item; siblings: readonly Node[]; at: number; outer: Path } | undefined;

/** Beyond these, the tree itself is shorter than the story of its changes. */
const LINES_MIN = 60;

/** What came, by its element, with the ref that it has now. */
type Refs = Map<Element, number>;
type ReadonlyRefs = ReadonlyMap<Element, number>;

/** Undefined where the whole tree says it shorter. */
export function treeDelta(old: Item, now: Item, options: DeltaOptions): Delta | undefined {
  const changes = changesBetween(old, now);
  const delta: Delta = { lines: [], frames: [] };
  const added: Refs = new Map();
  for (const change of changes) if (change.kind === "added") noteAdded(change, added);
  const linesMax = Math.max(LINES_MIN, now.size / 2);
  for (const change of changes) {
    tell(change, added, delta, options);
    if (delta.lines.length > linesMax) return undefined;
  }
  return delta;
}

/** What is to be compared yet: two items that differ by themselves or by what they hold; or a change found meanwhile. */
type Open = { old: Item; now: Item; inside: Path } | Change;

// In the order of the lines, however deep they lie.
function changesBetween(top: Item, topNow: Item): Change[] {
  const changes: Change[] = [];
  const open: Open[] = [{ old: top, now: topNow, inside: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ("kind" in next) {
      changes.push(next);
      continue;
    }
    for (const inside of compare(next.old, next.now, next.inside).reverse()) open.push(inside);
  }
  return changes;
}

function compare(old: Item, now: Item, inside: Path): Open[] {
  const found: Open[] = [];
  const siblings = linesBelow(now);
  const { pairs, gone } = alignment(linesBelow(old), siblings);
  let from = 0;
  const added = (to: number) => {
    if (to > from) found.push({ kind: "added", path: inside, from, to, siblings });
  };
  for (const [index, pair] of pairs.entries()) {
    if (pair === undefined) continue;
    added(index);
    from = index + 1;
    if (pair !== "same") comparePair(pair, siblings, index, inside, found);
  }
  added(siblings.length);
  if (gone.length > 0) found.push({ kind: "removed", path: inside, nodes: gone });
  return found;
}

// The top itself has no line.
function linesBelow(item: Item): readonly Node[] {
  return item.role === "" || hasLinesBelow(item) ? item.children : [];
}

function comparePair(
  { old, now }: Pair,
  siblings: readonly Node[],
  at: number,
  path: Path,
  found: Open[],
): void {
  if (old.kind !== "element" || now.kind !== "element") {
    if (old.kind === "element" || now.kind === "element" || old.text !== now.text)
      found.push({ kind: "changed", path, node: now, oldRef: old.kind === "element" ? old.ref : 0 });
    return;
  }
  if (!isSameLine(old, now)) found.push({ kind: "changed", path, node: now, oldRef: old.ref });
  found.push({ old, now, inside: { item: now, siblings, at, outer: path } });
}

function isSameLine(a: Item, b: Item): boolean {
  return (
    a.role === b.role &&
    a.name === b.name &&
    a.states === b.states &&
    a.ref === b.ref &&
    a.attributes === b.attributes &&
    inlineText(a) === inlineText(b) &&
    hasLinesBelow(a) === hasLinesBelow(b)
  );
}

function tell(change: Change, added: ReadonlyRefs, delta: Delta, options: DeltaOptions): void {
  const { lines, frames } = delta;
  const place = placeOf(change.path, options);
  if (change.kind === "changed") {
    const { node, oldRef } = change;
    const line = `- ${nodeLine(node, options.prefix)}`;
    // Without a ref that the reader knows it by, it is known by where it stands.
    if (oldRef !== 0 && node.kind === "element" && node.ref === oldRef) lines.push(`~ ${line}`);
    else {
      const was = oldRef === 0 ? "" : `, was ${refText(oldRef, options.prefix)}`;
      const head = `~ in ${place}${was}:`;
      if (lastHead(lines) !== head) lines.push(head);
      lines.push(`  ${line}`);
    }
  } else if (change.kind === "added") {
    const { siblings, from, to } = change;
    lines.push(`+ in ${place}${whereAmong(change, options.prefix)}:`);
    const printed = print(siblings.slice(from, to), { prefix: options.prefix }, 1);
    for (const hole of printed.frames) frames.push({ ...hole, line: hole.line + lines.length });
    for (const line of printed.lines) lines.push(line);
  } else {
    const gone = change.nodes.flatMap((node) => goneOf(node, added, options.prefix));
    if (gone.length > 0) lines.push(`removed from ${place}: ${listed(gone)}`);
  }
}

/** The head under which the last line stands. */
function lastHead(lines: readonly string[]): string | undefined {
  let index = lines.length - 1;
  while (index >= 0 && lines[index]?.startsWith("  ")) index -= 1;
  return lines[index];
}

function nodeLine(node: Node, prefix: string): string {
  if (node.kind === "element") return lineOf(node, prefix);
  return node.kind === "fold" ? foldText(node, prefix) : `text: ${inlined(node.text)}`;
}

/** `list "Results" [ref=e9]`: the nearest that has a name or a ref, or else says where one stands. */
function placeOf(path: Path, { place = "the page", prefix }: DeltaOptions): string {
  const item = nearest(path, isPlace) ?? nearest(path, ({ role }) => LANDMARKS.has(role));
  return item === undefined ? place : shortHead(item, prefix);
}

const isPlace = ({ name, ref }: Item) => name !== "" || ref !== 0;

function nearest(path: Path, fits: (item: Item) => boolean): Item | undefined {
  for (let at = path; at !== undefined; at = at.outer) if (fits(at.item)) return at.item;
  return undefined;
}

function shortHead({ role, name, ref }: Item, prefix: string): string {
  return [role, name === "" ? "" : quoted(name), ref === 0 ? "" : `[ref=${refText(ref, prefix)}]`]
    .filter((part) => part !== "")
    .join(" ");
}

/** ` after e40`: the nearest ref before what came, in the same place; or else the nearest after it. */
function whereAmong(
  { siblings, from, to, path }: Extract<Change, { kind: "added" }>,
  prefix: string,
): string {
  const before = nearestRef(siblings, from, -1, path);
  if (before !== 0) return ` after ${refText(before, prefix)}`;
  const after = nearestRef(siblings, to - 1, 1, path);
  return after === 0 ? "" : ` before ${refText(after, prefix)}`;
}

/** Siblings without any ref beyond these are not looked through. */
const NEIGHBOURS_MAX = 1_000;

// Beside what has no name of its own, as far as the place reaches.
function nearestRef(siblings: readonly Node[], from: number, step: 1 | -1, path: Path): number {
  let left = NEIGHBOURS_MAX;
  for (let at = from + step; left > 0 && siblings[at] !== undefined; at += step, left--) {
    const ref = edgeRef(siblings[at] as Node, step);
    if (ref !== 0) return ref;
  }
  if (left === 0 || path === undefined || isPlace(path.item)) return 0;
  return nearestRef(path.siblings, path.at, step, path.outer);
}

/** The first or last ref in a node, 0 where it has none. */
function edgeRef(node: Node, side: 1 | -1): number {
  if (node.kind === "words") return 0;
  if (node.kind === "fold") return node.ref;
  if (node.ref === 0 && !node.live) return 0;
  if (side === 1 && node.ref !== 0) return node.ref;
  const children = hasLinesBelow(node) ? node.children : [];
  const inside = side === 1 ? children : children.toReversed();
  for (const child of inside) {
    const ref = edgeRef(child, side);
    if (ref !== 0) return ref;
  }
  return node.ref;
}

function noteAdded({ siblings, from, to }: Extract<Change, { kind: "added" }>, added: Refs): void {
  const open: Node[] = siblings.slice(from, to);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "words") continue;
    added.set(node.el, node.ref);
    if (node.kind === "fold") continue;
    for (const child of node.children) open.push(child);
  }
}

const TEXT_MAX = 60;
const INSIDE_MAX = 12;
/** What lies deeper in what is gone is covered by what it lay in. */
const INSIDE_DEPTH_MAX = 200;

/** What an element was: its ref, role and name; where it had neither, also what stood in it. */
function goneOf(node: Node, moved: ReadonlyRefs, prefix: string, depth = 0): string[] {
  if (node.kind === "fold")
    return hasMoved(node, moved) ? [] : [`${refText(node.ref, prefix)} (hidden part)`];
  if (node.kind === "words") return [`text ${quoted(shortened(node.text, TEXT_MAX))}`];
  // That it moved is known by the line of its ref in the new place.
  if (hasMoved(node, moved)) return depth < INSIDE_DEPTH_MAX ? goneFrom(node, moved, prefix, depth + 1) : [];
  const only = inlineText(node);
  const isBare = node.ref === 0 && node.name === "" && only === undefined;
  // What says nothing of itself is known by what stands in it.
  const told = node.live ? node.children.filter(isNamed) : isBare ? node.children : [];
  const inside =
    depth < INSIDE_DEPTH_MAX ? told.flatMap((child) => goneOf(child, moved, prefix, depth + 1)) : [];
  const ref = node.ref === 0 ? "" : `${refText(node.ref, prefix)} `;
  const name =
    node.name !== "" ? ` ${quoted(node.name)}` : only ? ` ${quoted(shortened(only, TEXT_MAX))}` : "";
  return [`${ref}${node.role}${name}${inside.length > 0 ? ` (${listed(inside)})` : ""}`];
}

/** What has a ref, was in what moved, and did not move with it. */
function goneFrom(item: Item, moved: ReadonlyRefs, prefix: string, depth: number): string[] {
  if (!item.live || depth > INSIDE_DEPTH_MAX) return [];
  return item.children.flatMap((child) => {
    if (child.kind === "words") return [];
    if (child.ref !== 0) return goneOf(child, moved, prefix, depth);
    return child.kind === "element" ? goneFrom(child, moved, prefix, depth + 1) : [];
  });
}

const hasMoved = (node: Item | Fold, moved: ReadonlyRefs) =>
  node.ref !== 0 && moved.get(node.el) === node.ref;

function isNamed(node: Node): boolean {
  if (node.kind !== "element") return node.kind === "fold";
  return node.live || node.ref !== 0 || node.name !== "";
}

function listed(gone: readonly string[]): string {
  const more = gone.length - INSIDE_MAX;
  const said = gone.slice(0, INSIDE_MAX).join(", ");
  return more > 0 ? `${said} and ${more.toLocaleString("en-US")} more` : said;
}
