// Shadow roots attached to elements that were there before: no mutation tells of them.

import { isConnected, shadowRootOf } from "./dom.ts";

export interface ShadowWatch {
  /** Remembers an element that has no open shadow root, but could get one. */
  note(el: Element, tag: string): void;
  /** Whether one of them has a shadow root now. */
  anyNew(): boolean;
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

export function createShadowWatch(): ShadowWatch {
  const hosts = new Set<Element>();
  let prunedSize = 1_000;
  const prune = () => {
    for (const el of hosts) if (!isConnected(el)) hosts.delete(el);
    prunedSize = Math.max(1_000, hosts.size);
  };
  return {
    note(el, tag) {
      if (!HOSTS.has(tag) && !tag.includes("-")) return;
      hosts.add(el);
      if (hosts.size > GROWTH * prunedSize) prune();
    },
    anyNew() {
      for (const el of hosts) if (shadowRootOf(el) !== null) return true;
      return false;
    },
  };
}
