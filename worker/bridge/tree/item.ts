// The tree as it will be printed: one item a line, words between items, folds for what is left out.

/** A run of plain text. `el`: the element that it stands in, for acting on text that has no ref. */
export interface Words {
  kind: "words";
  text: string;
  el: Element;
  /** The other elements that parts of it stand in, where it is not all in one. A tree that is kept does not keep them. */
  others?: readonly WeakRef<Element>[];
}

export interface Item {
  kind: "element";
  el: Element;
  role: string;
  name: string;
  /** ` [checked] [disabled]`, each with a space before it. */
  states: string;
  /** The number of its ref, 0 where it has none. */
  ref: number;
  /** ` [url=/two]`, likewise. */
  attributes: string;
  /** What it holds, said after a colon; then it has no children. */
  value: string | undefined;
  /** An iframe: the worker puts the frame's content below. */
  hole: boolean;
  /** Nothing inside needs a look: its line says all. */
  closed: boolean;
  children: Node[];
  /** How many items are inside. */
  size: number;
  /** Whether it or something inside has a ref. */
  live: boolean;
  /** How many iframes it is or holds. */
  holes: number;
  /** Its line, once it was printed with this prefix. */
  line: string | undefined;
  linePrefix: string;
  /** The first words on its line or below it, once they were asked for. */
  lead: string | undefined;
  /** The circumstances in which the element gave it. */
  circumstances: number;
}

/** What is there but left out, and the ref that opens it. */
export interface Fold {
  kind: "fold";
  el: Element;
  text: string;
  ref: number;
  /** How many of the children of what opens come before. */
  offset: number;
  /** How many elements are left out, where they would else be told. */
  size: number;
}

export type Node = Item | Words | Fold;

// Most items have no children: one array for all of them.
const NONE: Node[] = [];

export function newItem(el: Element, role: string, name: string): Item {
  return {
    kind: "element",
    el,
    role,
    name,
    states: "",
    ref: 0,
    attributes: "",
    value: undefined,
    hole: false,
    closed: false,
    children: NONE,
    size: 0,
    live: false,
    holes: 0,
    line: undefined,
    linePrefix: "",
    lead: undefined,
    circumstances: 0,
  };
}

/** Puts a finished node under its parent. */
export function adopt(parent: Item, node: Node): void {
  if (parent.children === NONE) parent.children = [node];
  else parent.children.push(node);
  if (node.kind === "words") return;
  if (node.kind === "element") {
    parent.size += 1 + node.size;
    parent.holes += node.holes;
  }
  if (node.ref !== 0 || (node.kind === "element" && node.live)) parent.live = true;
}

/** Counts anew after children were taken out. */
export function recount(item: Item): void {
  const children = item.children;
  item.children = NONE;
  item.size = 0;
  item.live = false;
  item.holes = item.hole ? 1 : 0;
  for (const child of children) adopt(item, child);
}
