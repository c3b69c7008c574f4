// Shadow roots attached to elements that were there before: no mutation tells of them. And elements that may have a
// closed one.

import { isConnected, matches, shadowRootOf } from "./dom.ts";

export interface ShadowWatch {
  /** Remembers an element that has no known shadow root, but could get one. */
  note(el: Element, tag: string): void;
  /** Whether one of them has a shadow root now. */
  anyNew(): boolean;
  /** How many elements of the page's own kinds were noted and not taken. */
  readonly likely: number;
  /** Takes so many of them that are still there, or all. */
  takeLikely(count: number): Element[];
}

/** What a shadow root can be attached to, but custom elements, which have names of their own. */
const HOSTS = new Set(
  [
    "article",
    "aside",
    "blockquote",
    "body",
    "div",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
  ].concat(["main", "nav", "p", "section", "span"]),
);

/** How much larger the list may grow before those that are gone are dropped from it. */
const GROWTH = 2;

/** `asked`: elements that were taken before, and whether their kind was defined then. */
export function createShadowWatch(asked: WeakMap<Element, boolean>): ShadowWatch {
  const hosts = new Set<Element>();
  const likely = new Set<Element>();
  let prunedSize = 1_000;
  const prune = () => {
    for (const el of hosts) {
      if (isConnected(el)) continue;
      hosts.delete(el);
      likely.delete(el);
    }
    prunedSize = Math.max(1_000, hosts.size);
  };
  return {
    note(el, tag) {
      const isOwnKind = tag.includes("-");
      if (!HOSTS.has(tag) && !isOwnKind) return;
      hosts.add(el);
      if (isOwnKind && asked.get(el) !== isDefined(el)) likely.add(el);
      if (hosts.size > GROWTH * prunedSize) prune();
    },
    anyNew() {
      for (const el of hosts) if (shadowRootOf(el) !== null) return true;
      return false;
    },
    get likely() {
      return likely.size;
    },
    takeLikely(count) {
      const taken: Element[] = [];
      for (const el of likely) {
        if (taken.length === count) break;
        likely.delete(el);
        if (!isConnected(el)) continue;
        asked.set(el, isDefined(el));
        taken.push(el);
      }
      return taken;
    },
  };
}

const isDefined = (el: Element) => matches(el, ":defined");
