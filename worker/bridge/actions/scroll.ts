// Scrolls a region or the page. It chooses the element that scrolls, and reports the distance moved and the distance
// left.

import type { ScrollAsked, Scrolled } from "../api/bridge-api.ts";
import {
  bodyOf,
  composedParent,
  FRAME_TAGS,
  queryAll,
  rectOf,
  rootElementOf,
  scrollIntoView,
  scrollingElementOf,
  styleOf,
  tagOf,
} from "../dom/dom.ts";
import { AXES, type Axis, isLonger, scrolls } from "../dom/scroll-axes.ts";
import { isVisible } from "../dom/visibility.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { describe } from "../tree/describe.ts";

/** This share of the former view stays in view. */
const KEPT = 0.1;
const HIDES = new Set(["hidden", "clip"]);

/**
 * Scrolls the ref's region, or brings a frame into view. Without a ref, it scrolls the page. If the page does not
 * scroll, it takes the largest region. With `amount` 0, nothing moves.
 */
export function scroll(
  context: PageContext,
  ref: string | undefined,
  { direction, amount }: ScrollAsked,
): Scrolled {
  const target = ref === undefined ? undefined : targetOf(context, ref);
  if (target !== undefined && target.state !== "present") return { state: "unknown" };
  const axis: Axis = direction === "up" || direction === "down" ? "vertical" : "horizontal";
  const scroller = target ? regionOf(target.element, axis) : (pageOf(axis) ?? largestIn(document, axis));
  if (scroller === undefined) return { state: "fixed", point: middleOf(target?.element) };
  const { place, move, whole, shown } = AXES[axis];
  const before = place(scroller);
  const sign = direction === "up" || direction === "left" ? -1 : 1;
  if (amount !== 0 && target && isFrameOutOfView(target.element))
    scrollIntoView(target.element, { block: "center", behavior: "instant" });
  else if (amount !== 0) move(scroller, before + sign * (amount ?? Math.round(shown(scroller) * (1 - KEPT))));
  const now = place(scroller);
  const room = whole(scroller) - shown(scroller);
  // In a right-to-left text, the positions are negative.
  const past = Math.abs(now < 0 ? room + now : now);
  const isPage = scroller === scrollingElementOf(document);
  return {
    state: "ready",
    ...(!isPage && { element: describe(scroller, context) }),
    movedPx: Math.round(Math.abs(now - before)),
    leftPx: Math.max(0, Math.round(sign < 0 ? past : room - past)),
  };
}

/** A frame may load only when it comes into view. */
function isFrameOutOfView(el: Element): boolean {
  const { top, bottom } = rectOf(el);
  return FRAME_TAGS.has(tagOf(el)) && (bottom <= 0 || top >= innerHeight);
}

/** Returns the element itself, the largest region inside it, or an ancestor that scrolls. */
function regionOf(el: Element, axis: Axis): Element | undefined {
  if (scrolls(el, axis)) return el;
  const inside = largestIn(el, axis);
  if (inside !== undefined) return inside;
  for (let up = composedParent(el); up !== null; up = composedParent(up)) if (scrolls(up, axis)) return up;
  return pageOf(axis);
}

function pageOf(axis: Axis): Element | undefined {
  const page = scrollingElementOf(document);
  if (page === null || !isLonger(page, axis)) return undefined;
  const holders = [rootElementOf(document), bodyOf(document)].filter((each) => each !== null);
  // A page behind a dialog often does not scroll.
  return holders.some((each) => HIDES.has(styleOf(each)[AXES[axis].style])) ? undefined : page;
}

function largestIn(root: Element | Document, axis: Axis): Element | undefined {
  let largest: Element | undefined;
  let most = 0;
  for (const el of queryAll(root, "*")) {
    const { width, height } = isLonger(el, axis) && scrolls(el, axis) ? rectOf(el) : NOTHING;
    if (width * height <= most || !isVisible(el, tagOf(el))) continue;
    most = width * height;
    largest = el;
  }
  return largest;
}

const NOTHING = { width: 0, height: 0 };

/** Returns the point for a turn of the wheel. */
function middleOf(el: Element | undefined): { x: number; y: number } {
  const box = el && rectOf(el);
  if (!box || box.width === 0) return { x: innerWidth / 2, y: innerHeight / 2 };
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
