// Finds the regions that scroll on their own. The size of an element is asked only if its style may scroll, because the
// question lays out the page. No mutation record reports a change of this, so each later pass checks the known regions.

import { isAsked } from "../aria/interactive.ts";
import { ATOMIC, NAMED_BY_CONTENT, WIDGETS } from "../aria/role-names.ts";
import { firstElementOf, isConnected, styleOf } from "../dom/dom.ts";
import { POPOVER } from "../dom/flags.ts";
import { isLonger, mayScroll } from "../dom/scroll-axes.ts";
import type { Candidates } from "../styles/style-rules.ts";

export interface Scrollers {
  /** Remembers if an element whose style may scroll does scroll. */
  note(el: Element, scrolls: boolean): void;
  changed(): Element[];
}

/** At most this many elements are followed. For others, a change inside them shows it. */
const FOLLOWED_MAX = 500;

export const SCROLLABLE = " [scrollable]";

export function createScrollers(): Scrollers {
  const noted = new Map<Element, boolean>();
  return {
    note(el, scrolls) {
      if (noted.size < FOLLOWED_MAX || noted.has(el)) noted.set(el, scrolls);
    },
    changed() {
      const changed: Element[] = [];
      for (const [el, was] of noted) {
        if (!isConnected(el)) noted.delete(el);
        else if (scrollsNow(el) !== was) changed.push(el);
      }
      return changed;
    },
  };
}

/**
 * Reports if the element is a region that scrolls on its own. `candidates` are the elements that a rule could let
 * scroll.
 */
export function isScroller(
  el: Element,
  tag: string,
  role: string,
  flags: number,
  candidates: Candidates,
  scrollers: Scrollers | undefined,
): boolean {
  if (candidates === "all" && isSeldom(el, tag)) return false;
  const byBrowser = tag === "dialog" || (flags & POPOVER) !== 0;
  if (!byBrowser && !isAsked(el, flags, "overflow", candidates)) return false;
  if (tag === "html" || tag === "body" || !isRegion(role)) return false;
  const style = styleOf(el);
  if (!mayScroll(style, "vertical") && !mayScroll(style, "horizontal")) return false;
  const scrolls = scrollsNow(el);
  scrollers?.note(el, scrolls);
  return scrolls;
}

function scrollsNow(el: Element): boolean {
  const style = styleOf(el);
  return (["vertical", "horizontal"] as const).some((axis) => mayScroll(style, axis) && isLonger(el, axis));
}

/** A control's line says what the control holds, so a control is no region. */
function isRegion(role: string): boolean {
  return role === "listbox" || !(WIDGETS.has(role) || ATOMIC.has(role) || NAMED_BY_CONTENT.has(role));
}

/** If every element has to be asked, these are left out, because they hardly ever scroll. */
const SELDOM = new Set(
  "a abbr b button cite em h1 h2 h3 h4 h5 h6 i label li p small span strong td th tr".split(" "),
);

function isSeldom(el: Element, tag: string): boolean {
  return SELDOM.has(tag) || tag.startsWith("svg:") || (firstElementOf(el) === null && tag !== "pre");
}
