// Turns changes into marks on the elements that must be read again. These are the changed elements, their ancestors and
// everything that they name. A mark includes all inside if a style may have changed there.

import type { CrossTies } from "../aria/cross-ties.ts";
import { labelledControl } from "../aria/native-name.ts";
import {
  composedParent,
  documentOf,
  ELEMENT,
  has,
  hostOf,
  isConnected,
  isElement,
  nodeTypeOf,
  parentOf,
  queryAll,
  rootOf,
  shadowRootOf,
  tagOf,
} from "../dom/dom.ts";

export interface Marks {
  readonly dirty: ReadonlyMap<Element, boolean>;
  /** Marks the element's own line, and so the lines around it. */
  own(el: Element): void;
  /** Marks the element and everything inside it. */
  deep(el: Element): void;
}

export function createMarks(links: CrossTies): Marks {
  const dirty = new Map<Element, boolean>();
  const own = (el: Element) => {
    for (let up: Element | null = el; up !== null && !dirty.has(up); up = composedParent(up)) {
      dirty.set(up, false);
      const control = labelledControl(up);
      if (control !== null) own(control);
      for (const dependent of links.dependents(up)) own(dependent);
    }
  };
  const deep = (el: Element) => {
    own(el);
    if (dirty.get(el) === true) return;
    dirty.set(el, true);
    for (const dependent of links.dependentsOnInside(el)) own(dependent);
  };
  return { dirty, own, deep };
}

/** In these elements, the roles of the children depend on each other. */
const ENTANGLED = new Set(["tr", "details", "fieldset"]);
/** A header's direction depends on the cells beside it, even outside a row. */
const isCell = (node: Node) => nodeTypeOf(node) === ELEMENT && tagOf(node as Element) === "td";

/** Marks the elements in the mutation records. It returns false if everything must be read again. */
export function markMutations(records: readonly MutationRecord[], marks: Marks): boolean {
  let deep = 0;
  for (const { type, addedNodes } of records) deep += type === "attributes" ? 1 : addedNodes.length;
  return deep <= DEEP_MAX && records.every((record) => markMutation(record, marks));
}

/** With more changed parts than this, reading everything again is as fast. */
const DEEP_MAX = 1_000;

function markMutation(record: MutationRecord, marks: Marks): boolean {
  const { type, target, attributeName } = record;
  const el = type === "characterData" ? parentOf(target) : target;
  if (el === null || !isHere(el)) return true;
  if (el instanceof ShadowRoot) {
    marks.deep(hostOf(el));
    return true;
  }
  if (!isElement(el)) return false;
  return type === "attributes" ? markAttribute(el, attributeName, marks) : markContent(el, record, marks);
}

function markAttribute(el: Element, name: string | null, marks: Marks): boolean {
  if (name === "aria-owns" || parentOf(el) === document) return false;
  const parent = parentOf(el);
  // The host decides which slot an element belongs to.
  if (name === "slot" && isElement(parent)) marks.deep(parent);
  const root = name === "name" && tagOf(el) === "slot" ? rootOf(el) : undefined;
  if (root instanceof ShadowRoot) marks.deep(hostOf(root));
  marks.deep(el);
  return true;
}

function markContent(el: Element, { addedNodes, removedNodes }: MutationRecord, marks: Marks): boolean {
  const isEntangled = ENTANGLED.has(tagOf(el)) || [...addedNodes, ...removedNodes].some(isCell);
  if (shadowRootOf(el) !== null || isEntangled) marks.deep(el);
  else marks.own(el);
  for (const node of addedNodes) {
    if (nodeTypeOf(node) !== ELEMENT || !isHere(node)) continue;
    if (queryAll(node, "[aria-owns]").length > 0 || has(node as Element, "aria-owns")) return false;
    marks.deep(node as Element);
  }
  return true;
}

// The document itself has no owner document.
function isHere(node: Node): boolean {
  return node === document || (isConnected(node) && documentOf(node) === document);
}
