// Roles, names and states that custom elements keep in their ElementInternals. No script but their author's reads these:
// the worker asks Chrome's accessibility tree, and hands in what it says.

import { countMet } from "../dom/count-met.ts";
import {
  checkVisibility,
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

/** What Chrome says of an element, by the attributes that would say so; null where it says nothing of what is not rendered. */
export type Inner = Readonly<Record<string, string>> | null;

export interface Internals {
  /** An element was met. */
  meet(el: Element, tag: string): void;
  /** All elements of the page's own kinds are met, also those that are hidden. */
  meetAll(): void;
  /** The kinds that were met and are defined, and were not given here before. */
  takeKinds(): string[];
  /** These kinds have internals. */
  noteKinds(kinds: readonly string[]): void;
  /** How many elements are to be asked. */
  count(): number;
  /** So many of them: those that were never asked come first. */
  toAsk(count: number): Element[];
  /** Makes known what was said of each. True where it is something new. */
  hear(said: readonly Inner[], elements: readonly Node[]): boolean;
  /** Elements of such kinds. */
  all(): Element[];
  /** Those that may be told otherwise since they were last taken. */
  take(): Element[];
  /** Whether there are any to take. */
  any(): boolean;
}

/** In a larger document, Chrome takes too long to make its accessibility tree. */
const ELEMENTS_MAX = 20_000;
const KINDS_MAX = 200;

export function createInternals(shadowRoots: () => ShadowRoot[]): Internals {
  /** Of each kind that is not yet given, one element. */
  const pending = new Map<string, WeakRef<Element>>();
  const given = new Set<string>();
  const kinds = new Set<string>();
  /** What was asked, and whether anything was said of it: of the rest nothing is expected any more. */
  const asked = new WeakMap<Element, boolean>();
  const changed = new Set<Element>();
  const rootsNow = (): Root[] => [document, ...shadowRoots()];
  const all = (): Element[] => {
    if (kinds.size === 0) return [];
    const selector = [...kinds].map((kind) => CSS.escape(kind)).join();
    return rootsNow().flatMap((root) => [...queryAll(root, selector)]);
  };
  const askable = (): Element[] => {
    if (kinds.size === 0 || countMet(shadowRoots()) > ELEMENTS_MAX) return [];
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
        // Another one is met in its place.
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
