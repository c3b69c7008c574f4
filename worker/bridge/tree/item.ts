// Holds the tree before it is printed: one item a line, words between items, folds for omitted parts.

/** A run of plain text. `el` is the element around it, for actions on text without a ref. */
export interface Words {
  kind: "words";
  text: string;
  el: Element;
  /** The other elements that hold parts of the text, if there are several. A tree that is kept does not keep them. */
  others?: readonly WeakRef<Element>[];
}

export interface Item {
  kind: "element";
  el: Element;
  role: string;
  name: string;
  /** The states ` [checked] [disabled]`, each after a space. */
  states: string;
  /** The number of the item's ref, or 0 if it has none. */
  ref: number;
  /** The attributes ` [url=/two]`, each after a space. */
  attributes: string;
  /** The value that follows a colon. An item with a value has no children. */
  value: string | undefined;
  /** The item is an iframe. The worker puts the frame's content below. */
  hole: boolean;
  /** The line says everything, so nothing inside needs to be read. */
  closed: boolean;
  children: Node[];
  /** The number of further children that are not read yet. Each gives an item with the role of the last one read. */
  unread: number;
  /** The number of items inside. */
  size: number;
  /** The item or something inside it has a ref. */
  live: boolean;
  /** The number of iframes that the item is or holds. */
  holes: number;
  /** The line, after it was printed. */
  line: string | undefined;
  /** The first words on the line or below it, after they were requested. */
  lead: string | undefined;
  /** The circumstances in which the element gave this item. */
  circumstances: number;
}

/** Replaces nodes that are left out, and names the ref that opens them. */
export interface Fold {
  kind: "fold";
  el: Element;
  text: string;
  ref: number;
  /** The number of children before these, in the item that the ref opens. */
  offset: number;
  /** The least number of elements that are left out and would otherwise be shown. */
  size: number;
}

/** Stands where children are not read yet. A text with it is of no use. */
export const UNREAD: Fold = Object.freeze({
  kind: "fold",
  el: undefined as never,
  text: "",
  ref: 0,
  offset: 0,
  size: 0,
});

export type Node = Item | Words | Fold;

// Most items have no children, so they share one array.
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
    unread: 0,
    size: 0,
    live: false,
    holes: 0,
    line: undefined,
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

/** Counts again after children were taken out. */
export function recount(item: Item): void {
  const children = item.children;
  item.children = NONE;
  item.size = 0;
  item.live = false;
  item.holes = item.hole ? 1 : 0;
  for (const child of children) adopt(item, child);
}
