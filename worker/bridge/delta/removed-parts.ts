// Lists the removed parts in a delta: each by its ref or its name among its siblings, with its content.

import { quoted } from "../dom/quote.ts";
import { refText } from "../dom/ref-text.ts";
import type { Fold, Item, Node } from "../tree/item.ts";
import { ownWords } from "./distinct-words.ts";
import { briefly } from "./sibling-names.ts";

/** Has the elements that came, with their present refs. */
export type Refs = ReadonlyMap<Element, number>;

/** One phrase covers the rest of a removed item's content. */
const INSIDE_MAX = 12;
/** Deeper content of a removed item is covered by the items around it. */
const DEPTH_MAX = 200;

/** Notes nodes that came, and everything in them. */
export function noteRefs(nodes: readonly Node[], refs: Map<Element, number>): void {
  const open: Node[] = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "words") continue;
    refs.set(node.el, node.ref);
    if (node.kind === "element") for (const child of node.children) open.push(child);
  }
}

/** Returns the entries of a removed node. `called` is its name among its siblings, if it has no ref. */
export function goneOf(node: Node, called: string, moved: Refs): string[] {
  if (node.kind === "words") return [called];
  if (node.kind === "fold") return hasMoved(node, moved) ? [] : [`${refText(node.ref)} (hidden part)`];
  // The line of its ref at the new position shows that it moved.
  if (hasMoved(node, moved)) return goneFrom(node, moved, 1);
  const inside = insideOf(node, moved, 1);
  if (node.ref !== 0) return [`${refText(node.ref)} ${ownText(node)}${inside}`];
  // The first words need not appear twice.
  const words = /^([\w-]+) ("(?:[^"\\]|\\.)*")$/.exec(called);
  const [, first] = /("(?:[^"\\]|\\.)*")/.exec(inside) ?? [];
  return [`${words !== null && words[2] === first && node.name === "" ? words[1] : called}${inside}`];
}

function entriesOf(node: Node, moved: Refs, depth: number): string[] {
  if (node.kind === "words") return [`text ${quoted(briefly(node.text))}`];
  if (node.kind === "fold") return goneOf(node, "", moved);
  if (hasMoved(node, moved)) return goneFrom(node, moved, depth);
  const inside = insideOf(node, moved, depth + 1);
  if (node.ref !== 0) return [`${refText(node.ref)} ${ownText(node)}${inside}`];
  return ownWords(node) === "" && inside === "" ? [] : [`${ownText(node)}${inside}`];
}

function ownText(item: Item): string {
  const words = ownWords(item);
  return words === "" ? item.role : `${item.role} ${quoted(briefly(words))}`;
}

/**
 * The content identifies an item that says nothing itself. For other items, only content with a ref or a name is
 * listed.
 */
function insideOf(item: Item, moved: Refs, depth: number): string {
  const isBare = item.ref === 0 && ownWords(item) === "";
  const parts = item.live ? item.children.filter(isNamed) : isBare ? item.children : [];
  if (depth > DEPTH_MAX) return "";
  const entries: string[] = [];
  for (const part of parts) {
    if (entries.length > INSIDE_MAX) break;
    entries.push(...entriesOf(part, moved, depth));
  }
  if (entries.length === 0) return "";
  const said = entries.slice(0, INSIDE_MAX).join(", ");
  return entries.length > INSIDE_MAX ? ` (${said} and all else in it)` : ` (${said})`;
}

/** Returns the nodes with a ref that were inside a moved item and did not move with it. */
function goneFrom(item: Item, moved: Refs, depth: number): string[] {
  if (!item.live || depth > DEPTH_MAX) return [];
  return item.children.flatMap((child) => {
    if (child.kind === "words") return [];
    if (child.ref !== 0) return entriesOf(child, moved, depth + 1);
    return child.kind === "element" ? goneFrom(child, moved, depth + 1) : [];
  });
}

const hasMoved = (node: Item | Fold, moved: Refs) => node.ref !== 0 && moved.get(node.el) === node.ref;

function isNamed(node: Node): boolean {
  if (node.kind !== "element") return node.kind === "fold";
  return node.live || node.ref !== 0 || node.name !== "";
}
