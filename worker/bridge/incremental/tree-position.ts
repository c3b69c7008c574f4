// Finds the position of an element in a tree, and what the tree says about it there.

import { wordsIn } from "../delta/distinct-words.ts";
import { composedParent } from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import type { Item, Node } from "../tree/item.ts";

/** A node of a tree with the items around it, the outermost first. The top says nothing and is left out. */
export interface TreePosition {
  path: readonly Item[];
  node: Node;
  role: string;
  /** The name on the node's line, or else the text on it. */
  name: string;
  /** The row, list item or option that the node is or lies in. */
  row: Item | undefined;
}

/** Returns the position of the element in the tree, or undefined if the tree does not have it. */
export function treePositionOf(top: Item, el: Element): TreePosition | undefined {
  const around = new Set<Element>();
  for (let up: Element | null = el; up !== null; up = composedParent(up)) around.add(up);
  const wanted = (node: Node) => node.el === el && node.kind !== "fold";
  // The tree and the page may have other items around an element that has moved, by aria-owns or since then.
  return find(top, wanted, (item) => around.has(item.el)) ?? find(top, wanted, () => true);
}

export function treePositionOfNumber(top: Item, number: number): TreePosition | undefined {
  return find(
    top,
    (node) => node.kind === "element" && node.ref === number,
    () => true,
  );
}

/** Returns every position below `top` of a node with that role and name. */
export function likeness(top: Item, role: string, isName: (name: string) => boolean): TreePosition[] {
  return [
    ...places(
      top,
      (node) => node.kind !== "fold" && roleOf(node) === role && isName(nameOf(node)),
      () => true,
    ),
  ];
}

/** Returns all text on the lines of a node and inside it. */
export function textOf(node: Node): string {
  return collapsed([...wordsIn(node)].join(" "));
}

/** Replaces each number by 0, in whatever form it is written. */
export function withoutDigits(text: string): string {
  return text.replace(/\p{Nd}+(?:[.,]\p{Nd}+)*/gu, "0");
}

/** Returns the elements that have a node in the tree. */
export function elementsOf(top: Item): Set<Element> {
  const found = new Set<Element>();
  const open: Node[] = [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node !== top && node.kind !== "fold") found.add(node.el);
    if (node.kind === "element") for (const child of node.children) open.push(child);
  }
  return found;
}

const ROWS = new Set(["row", "listitem", "option"]);

/** Reports if the node lies in a row, list item or option. It does not count if the node itself is one. */
export function isInRow({ path }: TreePosition): boolean {
  return path.some(({ role }) => ROWS.has(role));
}

function find(
  top: Item,
  wanted: (node: Node) => boolean,
  enters: (item: Item) => boolean,
): TreePosition | undefined {
  const { value } = places(top, wanted, enters).next();
  return value ?? undefined;
}

interface Open {
  item: Item;
  at: number;
}

function* places(
  top: Item,
  wanted: (node: Node) => boolean,
  enters: (item: Item) => boolean,
): Generator<TreePosition, undefined> {
  const open: Open[] = [{ item: top, at: 0 }];
  for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
    const node = here.item.children[here.at++];
    if (node === undefined) open.pop();
    else {
      if (wanted(node))
        yield placeAt(
          open.slice(1).map(({ item }) => item),
          node,
        );
      if (node.kind === "element" && node.children.length > 0 && enters(node))
        open.push({ item: node, at: 0 });
    }
  }
  return undefined;
}

function placeAt(path: readonly Item[], node: Node): TreePosition {
  const all = node.kind === "element" ? [...path, node] : path;
  const row = all.findLast(({ role }) => ROWS.has(role));
  return { path, node, role: roleOf(node), name: nameOf(node), row };
}

function roleOf(node: Node): string {
  return node.kind === "element" ? node.role : "generic";
}

function nameOf(node: Node): string {
  if (node.kind !== "element") return node.text;
  if (node.name !== "") return node.name;
  const only = node.children.length === 1 ? node.children[0] : undefined;
  return only?.kind === "words" ? only.text : "";
}
