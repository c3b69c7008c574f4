// Notices shadow roots that the page attaches to existing elements: no mutation record reports them. It also lists
// elements that may have a closed one.

import { isConnected, matches, type Root, shadowRootOf } from "./dom.ts";

export interface ShadowWatch {
  /** Remembers an element that has no known shadow root but could get one. */
  note(el: Element, tag: string): void;
  /** Reports if one of the noted elements has a shadow root now. */
  anyNew(): boolean;
  /** Counts the custom elements that were noted and not taken. */
  readonly likely: number;
  /** Takes `count` of the noted custom elements that are still there, or all if there are fewer. */
  takeLikely(count: number): Element[];
}

/** Reports if scripts decide which nodes the slots of a root show. No mutation record reports that. */
export function isAssignedByHand(root: Root): boolean {
  return root instanceof ShadowRoot && root.slotAssignment === "manual";
}

/** A shadow root can be attached to these tags, and to custom elements, which have names of their own. */
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

/** The list may grow by this factor before the elements that are gone are dropped from it. */
const GROWTH = 2;

/** `asked` has the elements that were taken before, and if their kind was defined then. */
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
