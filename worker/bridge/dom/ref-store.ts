// Keeps which number names which element. A number is given out once in a document's life. A removed element leaves its
// role, name and tag behind, so an error can say what it was.

import { documentOf, ELEMENT, isConnected, nodeTypeOf, plainTag, queryAll, shadowRootOf } from "./dom.ts";
import { numberOf } from "./ref-text.ts";

export interface Identity {
  role: string;
  name: string;
  tag: string;
}

export type Resolved =
  | { state: "present"; element: Element; number: number }
  | { state: "removed"; identity: Identity }
  | { state: "unknown" };

export interface RefStore {
  /**
   * Returns the element's number, and gives out one if it has none. Role and name are kept for the time after its
   * removal.
   */
  mint(element: Element, role: string, name: string): number;
  /** Returns the number that the element has, without giving out one. */
  known(element: Element): number | undefined;
  resolve(ref: string): Resolved;
  /** Buries the elements that are no longer in the document. */
  prune(): void;
  /** Buries the elements of a part that was taken out of the document. */
  pruneIn(part: Node): void;
  /** Returns a number that is longer than the next ones to be given out. */
  longer(): number;
  /** Returns all living elements in the order of their numbers. */
  living(): { number: number; element: Element }[];
}

interface Entry extends Identity {
  target: WeakRef<Element>;
}

const TOMBSTONES_MAX = 10_000;
const FORGOTTEN: Identity = { role: "generic", name: "", tag: "unknown" };

export function createRefStore(): RefStore {
  const numbers = new WeakMap<Element, number>();
  const entries = new Map<number, Entry>();
  const tombstones = new Map<number, Identity>();
  let last = 0;

  const bury = (number: number, entry: Entry) => {
    entries.delete(number);
    const element = entry.target.deref();
    if (element !== undefined) numbers.delete(element);
    tombstones.set(number, { role: entry.role, name: entry.name, tag: entry.tag });
    if (tombstones.size > TOMBSTONES_MAX) tombstones.delete(tombstones.keys().next().value as number);
  };

  const buryGone = (el: Element) => {
    const number = numbers.get(el);
    const entry = number === undefined ? undefined : entries.get(number);
    if (number !== undefined && entry !== undefined && !isHere(el)) bury(number, entry);
  };

  return {
    mint(element, role, name) {
      const given = numbers.get(element);
      const entry = given === undefined ? undefined : entries.get(given);
      if (given !== undefined && entry !== undefined) {
        entry.role = role;
        entry.name = name;
        return given;
      }
      last += 1;
      numbers.set(element, last);
      entries.set(last, { target: new WeakRef(element), role, name, tag: plainTag(element) });
      return last;
    },
    known: (element) => numbers.get(element),
    resolve(ref) {
      const number = numberOf(ref);
      if (number === undefined || number > last) return { state: "unknown" };
      const entry = entries.get(number);
      const element = entry?.target.deref();
      if (entry !== undefined && element !== undefined && isHere(element))
        return { state: "present", element, number };
      if (entry !== undefined) bury(number, entry);
      return { state: "removed", identity: tombstones.get(number) ?? FORGOTTEN };
    },
    prune() {
      for (const [number, entry] of entries) {
        const element = entry.target.deref();
        if (element === undefined || !isHere(element)) bury(number, entry);
      }
    },
    pruneIn(part) {
      const open: Node[] = [part];
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        const inside =
          nodeTypeOf(node) === ELEMENT ? [node as Element, ...queryAll(node, "*")] : queryAll(node, "*");
        for (const el of inside) {
          buryGone(el);
          const shadow = shadowRootOf(el);
          if (shadow !== null) open.push(shadow);
        }
      }
    },
    longer: () => 10 * (last + 1),
    living() {
      const alive: { number: number; element: Element }[] = [];
      for (const [number, entry] of entries) {
        const element = entry.target.deref();
        if (element !== undefined && isHere(element)) alive.push({ number, element });
      }
      return alive;
    },
  };
}

// An element that another document (a frame's) has adopted is as gone as a removed one.
function isHere(element: Element): boolean {
  return isConnected(element) && documentOf(element) === document;
}
