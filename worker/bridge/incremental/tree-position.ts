// Where an element stands in a tree, and what a reader was told of it there.

import { composedParent } from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import type { Item, Node } from "../tree/item.ts";
import { wordsIn } from "./distinct-words.ts";

/** A node of a tree under the items that it stands in, the outermost first (without the top, which says nothing). */
export interface TreePosition {
  path: readonly Item[];
  node: Node;
  role: string;
  /** The name on its line; where it has none, the text on it. */
  name: string;
  /** The row, list item or option that it is or stands in. */
  row: Item | undefined;
}

/** Where the tree has the element; undefined where it has not. */
export function treePositionOf(top: Item, el: Element): TreePosition | undefined {
  const around = new Set<Element>();
  for (let up: Element | null = el; up !== null; up = composedParent(up)) around.add(up);
  const wanted = (node: Node) => node.el === el && node.kind !== "fold";
  // What aria-owns moved, and what has been moved since, does not stand where the page has it now.
  return find(top, wanted, (item) => around.has(item.el)) ?? find(top, wanted, () => true);
}

/** Where the tree has the element of that number. */
export function treePositionOfNumber(top: Item, number: number): TreePosition | undefined {
  return find(
    top,
    (node) => node.kind === "element" && node.ref === number,
    () => true,
  );
}

/** Every place under these items where a node is the like of another: of that role and name. */
export function likeness(top: Item, role: string, isName: (name: string) => boolean): TreePosition[] {
  return [
    ...places(
      top,
      (node) => node.kind !== "fold" && roleOf(node) === role && isName(nameOf(node)),
      () => true,
    ),
  ];
}

/** All that stands on the lines of a node and inside it. */
export function textOf(node: Node): string {
  return collapsed([...wordsIn(node)].join(" "));
}

/** Numbers are all the same here, however they are written. */
export function withoutDigits(text: string): string {
  return text.replace(/\p{Nd}+(?:[.,]\p{Nd}+)*/gu, "0");
}

/** Elements of which a tree has a node. */
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

/** Whether it stands in a row, list item or option; not whether it is one. */
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
