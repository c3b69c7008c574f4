// What a delta says of what is gone: each part by its ref, or as it was called beside its siblings, with what it held.

import { quoted } from "../dom/quote.ts";
import type { Fold, Item, Node } from "../tree/item.ts";
import { refText } from "../tree/print.ts";
import { ownWords } from "./distinct-words.ts";
import { briefly } from "./sibling-names.ts";

/** What came, by its element, with the ref that it has now. */
export type Refs = ReadonlyMap<Element, number>;

/** The rest of what went with something is said in one word. */
const INSIDE_MAX = 12;
/** What lies deeper in what is gone is covered by what it lay in. */
const DEPTH_MAX = 200;

/** Notes a node that came, and all in it. */
export function noteRefs(nodes: readonly Node[], refs: Map<Element, number>): void {
  const open: Node[] = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "words") continue;
    refs.set(node.el, node.ref);
    if (node.kind === "element") for (const child of node.children) open.push(child);
  }
}

/** The entries of a node that is gone. `called`: as it is known beside its siblings, where it has no ref. */
export function goneOf(node: Node, called: string, moved: Refs, prefix: string): string[] {
  if (node.kind === "words") return [called];
  if (node.kind === "fold")
    return hasMoved(node, moved) ? [] : [`${refText(node.ref, prefix)} (hidden part)`];
  // That it moved is known by the line of its ref in the new place.
  if (hasMoved(node, moved)) return goneFrom(node, moved, prefix, 1);
  const inside = insideOf(node, moved, prefix, 1);
  if (node.ref !== 0) return [`${refText(node.ref, prefix)} ${ownText(node)}${inside}`];
  // Its first words need not stand twice.
  const words = /^([\w-]+) ("(?:[^"\\]|\\.)*")$/.exec(called);
  const [, first] = /("(?:[^"\\]|\\.)*")/.exec(inside) ?? [];
  return [`${words !== null && words[2] === first && node.name === "" ? words[1] : called}${inside}`];
}

/** The same of what lay in it. */
function entriesOf(node: Node, moved: Refs, prefix: string, depth: number): string[] {
  if (node.kind === "words") return [`text ${quoted(briefly(node.text))}`];
  if (node.kind === "fold") return goneOf(node, "", moved, prefix);
  if (hasMoved(node, moved)) return goneFrom(node, moved, prefix, depth);
  const inside = insideOf(node, moved, prefix, depth + 1);
  if (node.ref !== 0) return [`${refText(node.ref, prefix)} ${ownText(node)}${inside}`];
  return ownWords(node) === "" && inside === "" ? [] : [`${ownText(node)}${inside}`];
}

function ownText(item: Item): string {
  const words = ownWords(item);
  return words === "" ? item.role : `${item.role} ${quoted(briefly(words))}`;
}

/** What says nothing of itself is known by what stands in it; of the rest, what has a ref or name. */
function insideOf(item: Item, moved: Refs, prefix: string, depth: number): string {
  const isBare = item.ref === 0 && ownWords(item) === "";
  const parts = item.live ? item.children.filter(isNamed) : isBare ? item.children : [];
  if (depth > DEPTH_MAX) return "";
  const entries: string[] = [];
  for (const part of parts) {
    if (entries.length > INSIDE_MAX) break;
    entries.push(...entriesOf(part, moved, prefix, depth));
  }
  if (entries.length === 0) return "";
  const said = entries.slice(0, INSIDE_MAX).join(", ");
  return entries.length > INSIDE_MAX ? ` (${said} and all else in it)` : ` (${said})`;
}

/** What has a ref, was in what moved, and did not move with it. */
function goneFrom(item: Item, moved: Refs, prefix: string, depth: number): string[] {
  if (!item.live || depth > DEPTH_MAX) return [];
  return item.children.flatMap((child) => {
    if (child.kind === "words") return [];
    if (child.ref !== 0) return entriesOf(child, moved, prefix, depth + 1);
    return child.kind === "element" ? goneFrom(child, moved, prefix, depth + 1) : [];
  });
}

const hasMoved = (node: Item | Fold, moved: Refs) => node.ref !== 0 && moved.get(node.el) === node.ref;

function isNamed(node: Node): boolean {
  if (node.kind !== "element") return node.kind === "fold";
  return node.live || node.ref !== 0 || node.name !== "";
}
