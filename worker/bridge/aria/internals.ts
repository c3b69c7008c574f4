// Keeps the roles, names and states that custom elements have in their ElementInternals. Only the element's own script
// can read these. So the worker asks Chrome's accessibility tree and hands the answers in.

import {
  checkVisibility,
  countElements,
  hasOwn,
  innerOf,
  isConnected,
  isElement,
  matches,
  noteInner,
  queryAll,
  type Root,
  tagOf,
} from "../dom/dom.ts";

/**
 * The record has Chrome's answers for an element, by the equivalent attributes. It is null if Chrome says nothing
 * because the element is not rendered.
 */
export type Inner = Readonly<Record<string, string>> | null;

export interface Internals {
  /** Notes an element that the walk met. */
  meet(el: Element, tag: string): void;
  /** Notes all custom elements, also the hidden ones. */
  meetAll(): void;
  /** Takes the kinds that were met, are defined and were not taken before. */
  takeKinds(): string[];
  /** Notes that these kinds have internals. */
  noteKinds(kinds: readonly string[]): void;
  /** Counts the elements that the worker has to ask about. */
  count(): number;
  /** Returns `count` of these elements, beginning with those that were never asked about. */
  toAsk(count: number): Element[];
  /** Keeps Chrome's answer for each element. It returns true if an answer is new. */
  hear(said: readonly Inner[], elements: readonly Node[]): boolean;
  /** Returns all elements of these kinds. */
  all(): Element[];
  /** Takes the elements whose answers have changed since the last take. */
  take(): Element[];
  /** Reports if there are any elements to take. */
  any(): boolean;
}

/** In a larger document, Chrome takes too long to build its accessibility tree. */
const ELEMENTS_MAX = 20_000;
const KINDS_MAX = 200;

export function createInternals(shadowRoots: () => ShadowRoot[]): Internals {
  /** This map has one element of each kind that was not taken yet. */
  const pending = new Map<string, WeakRef<Element>>();
  const given = new Set<string>();
  const kinds = new Set<string>();
  /**
   * This map says of each asked element if Chrome's answer held anything. An element without an answer is not asked
   * again.
   */
  const asked = new WeakMap<Element, boolean>();
  const changed = new Set<Element>();
  const rootsNow = (): Root[] => [document, ...shadowRoots()];
  const all = (): Element[] => {
    if (kinds.size === 0) return [];
    const selector = [...kinds].map((kind) => CSS.escape(kind)).join();
    return rootsNow().flatMap((root) => [...queryAll(root, selector)]);
  };
  const askable = (): Element[] => {
    if (kinds.size === 0 || countElements(shadowRoots()) > ELEMENTS_MAX) return [];
    return all().filter((el) => asked.get(el) !== false && checkVisibility(el));
  };

  const meet = (el: Element, tag: string) => {
    if (!given.has(tag) && !pending.has(tag)) pending.set(tag, new WeakRef(el));
  };

  return {
    meet,
    meetAll() {
      for (const root of rootsNow())
        for (const el of queryAll(root, ":defined")) if (tagOf(el).includes("-")) meet(el, tagOf(el));
    },
    takeKinds() {
      const taken: string[] = [];
      for (const [kind, ref] of pending) {
        if (taken.length === KINDS_MAX) break;
        const el = ref.deref();
        // The walk meets another element of the kind.
        if (el === undefined || !isConnected(el)) pending.delete(kind);
        else if (matches(el, ":defined")) taken.push(kind);
      }
      for (const kind of taken) {
        pending.delete(kind);
        given.add(kind);
      }
      return taken;
    },
    noteKinds(more) {
      for (const kind of more) kinds.add(kind);
    },
    count: () => askable().length,
    toAsk(count) {
      const elements = askable();
      const isNew = (el: Element) => !asked.has(el);
      return [...elements.filter(isNew), ...elements.filter((el) => !isNew(el))].slice(0, count);
    },
    hear(said, elements) {
      for (const [index, el] of elements.entries()) {
        const inner = said[index];
        if (inner == null || !isElement(el)) continue;
        const now = new Map(Object.entries(inner).filter(([name]) => !hasOwn(el, name)));
        if (!asked.get(el)) asked.set(el, now.size > 0);
        if (isSame(now, innerOf(el) ?? NOTHING)) continue;
        noteInner(el, now);
        changed.add(el);
      }
      return changed.size > 0;
    },
    all,
    take() {
      const taken = [...changed].filter(isConnected);
      changed.clear();
      return taken;
    },
    any: () => changed.size > 0,
  };
}

const NOTHING: ReadonlyMap<string, string> = new Map();

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}
