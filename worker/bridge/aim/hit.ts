// Finds the points of an element that nothing else covers, so that a click there meets it.

import type { Cover, Point } from "../api/bridge-api.ts";
import { opensList } from "../aria/editable.ts";
import { fullName } from "../aria/name.ts";
import { labelledControl, labelsOf } from "../aria/native-name.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { WIDGETS } from "../aria/role-names.ts";
import {
  closest,
  composedParent,
  elementAt,
  holds,
  queryAll,
  rectOf,
  rectsOf,
  styleOf,
  tagOf,
} from "../dom/dom.ts";
import { isFocusable } from "../dom/focusable.ts";
import { areaBox } from "../dom/image-map.ts";
import { isVisible } from "../dom/visibility.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { describe, spokenRole } from "../tree/describe.ts";
import { recoveryHintsFor } from "./recovery-hints.ts";

export type Hit =
  | { state: "free"; point: Point }
  | { state: "covered"; by: Element }
  | { state: "out-of-view" };

const RECTS_MAX = 6;
/** The points to try in a rectangle, the centre first. */
const SPOTS = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.1],
  [0.9, 0.9],
] as const;

/** Tries the points of the element's boxes that are in the viewport. */
export function hitTest(target: Element, survey: PassCache): Hit {
  let cover: Element | undefined;
  let nested: Point | undefined;
  for (const point of spotsOf(target)) {
    const hit = elementAt(point.x, point.y);
    if (hit === null) continue;
    const meaning = meaningOf(hit, target, survey);
    if (meaning === "target") return { state: "free", point };
    if (meaning === "nested") nested ??= point;
    else cover ??= hit;
  }
  if (nested !== undefined) return { state: "free", point: nested };
  return cover === undefined ? { state: "out-of-view" } : { state: "covered", by: cover };
}

function spotsOf(target: Element): Point[] {
  const spots: Point[] = [];
  for (const rect of boxesOf(target)) {
    const left = Math.max(rect.left, 0);
    const top = Math.max(rect.top, 0);
    const width = Math.min(rect.right, innerWidth) - left;
    const height = Math.min(rect.bottom, innerHeight) - top;
    if (width <= 0 || height <= 0) continue;
    for (const [x, y] of SPOTS) spots.push({ x: left + width * x, y: top + height * y });
  }
  return spots;
}

/**
 * Returns the element's boxes that have an area. If there are none, as for `display: contents`, it returns those of the
 * content.
 */
function boxesOf(target: Element): DOMRect[] {
  if (tagOf(target) === "area") return solid([areaBox(target)].filter((box) => box !== undefined));
  const boxes = solid(rectsOf(target));
  if (boxes.length > 0) return boxes;
  const range = new Range();
  range.selectNodeContents(target);
  return solid(range.getClientRects());
}

function solid(rects: Iterable<DOMRect>): DOMRect[] {
  const boxes: DOMRect[] = [];
  for (const rect of rects) {
    if (rect.width > 0 && rect.height > 0 && boxes.push(rect) === RECTS_MAX) break;
  }
  return boxes;
}

/**
 * "target" means that a click here is one on the target. "nested" means that it is one on a control inside the target.
 */
export function meaningOf(hit: Element, target: Element, survey: PassCache): "target" | "nested" | "other" {
  if (holds(target, hit)) return hasControlBetween(hit, target) ? "nested" : "target";
  if (labelsOf(target, survey).some((label) => holds(label, hit))) return "target";
  if ((opensList(target) || isUnseen(target)) && isFaceOf(hit, target)) return "target";
  // The text in a link or the icon in a button belongs to that control. A hit on the control counts.
  return !isControl(target) && isPartOf(target, hit) ? "target" : "other";
}

const FACES_MAX = 5;
const SPECK = 2;

/**
 * Reports if a person does not see the control, because the page draws another one instead. Such a control is
 * transparent, clipped or tiny.
 */
function isUnseen(el: Element): boolean {
  const { opacity, clip, clipPath } = styleOf(el);
  if (opacity === "0" || clip.startsWith("rect(") || clipPath.startsWith("inset(")) return true;
  const { width, height } = rectOf(el);
  return width <= SPECK && height <= SPECK;
}

/** The immediate surroundings of a control are no higher than this, in CSS pixels. Beyond them lie the page's parts. */
const FACE_HEIGHT_MAX = 120;
/** Shadows and borders of the drawn control reach beyond its surroundings. */
const FACE_REACH = 4;

/**
 * Reports if the hit element is drawn for the target. Both lie in surroundings without another control, and the hit
 * element does not reach out of them. A layer over the page is not drawn for anything in the page.
 */
function isFaceOf(hit: Element, target: Element): boolean {
  return facesOf(target).some(
    (face) => holds(face, hit) && !isLayerIn(hit, face) && liesWithin(rectOf(hit), rectOf(face)),
  );
}

function isLayerIn(hit: Element, face: Element): boolean {
  for (let el: Element | null = hit; el !== null && el !== face; el = composedParent(el))
    if (styleOf(el).position === "fixed") return true;
  return false;
}

function liesWithin(inner: DOMRect, outer: DOMRect): boolean {
  return (
    outer.height <= FACE_HEIGHT_MAX &&
    inner.top >= outer.top - FACE_REACH &&
    inner.left >= outer.left - FACE_REACH &&
    inner.bottom <= outer.bottom + FACE_REACH &&
    inner.right <= outer.right + FACE_REACH
  );
}

/** Returns the ancestors of a control that hold no other control, from the inside out. A person sees some of them. */
export function facesOf(target: Element): Element[] {
  const faces: Element[] = [];
  for (let el = composedParent(target); el !== null && faces.length < FACES_MAX; el = composedParent(el)) {
    const tag = tagOf(el);
    if (tag === "body" || tag === "html") break;
    const isOther = (each: Element) => isShownControl(each) && !holds(target, each) && !holds(each, target);
    if ([...queryAll(el, "*")].some(isOther)) break;
    faces.push(el);
  }
  return faces;
}

/** A control that the page hides for its own use does not count. */
function isShownControl(el: Element): boolean {
  return isControl(el) && isVisible(el, tagOf(el)) && closest(el, "[aria-hidden=true]") === null;
}

function hasControlBetween(hit: Element, target: Element): boolean {
  for (let el: Element | null = hit; el !== null && el !== target; el = composedParent(el)) {
    if (isControl(el) && labelledControl(el) !== target) return true;
  }
  return false;
}

function isPartOf(target: Element, hit: Element): boolean {
  for (let el: Element | null = target; el !== null; el = composedParent(el)) {
    if (isControl(el)) return holds(el, hit);
  }
  return false;
}

function isControl(el: Element): boolean {
  const tag = tagOf(el);
  return WIDGETS.has(spokenRole(el, tag)) || isFocusable(el, tag);
}

const COVERS = new Set(
  "dialog alertdialog alert banner complementary contentinfo navigation region status".split(" "),
);

/**
 * Describes what covers the target, with the ways to remove it. The cover is the whole dialog or banner, not the small
 * element that was hit.
 */
export function describeCover(hit: Element, target: Element, context: PageContext): Cover {
  const survey = context.survey();
  const cover = coverOf(hit, target, survey);
  return { by: describe(cover, context, survey), ...recoveryHintsFor(cover, context) };
}

function coverOf(by: Element, target: Element, survey: PassCache): Element {
  let named: Element | undefined;
  let outermost = by;
  for (let el: Element | null = by; el !== null && !holds(el, target); el = composedParent(el)) {
    const tag = tagOf(el);
    const role = spokenRole(el, tag);
    if (COVERS.has(role) || tag === "iframe") return el;
    if (named === undefined && role !== "generic" && fullName(el, tag, role, survey) !== "") named = el;
    outermost = el;
  }
  return named ?? outermost;
}

/** Returns the element's border box, or its first box with an area. */
export function boxOf(target: Element): DOMRect | undefined {
  const rect = rectOf(target);
  return rect.width > 0 && rect.height > 0 ? rect : boxesOf(target)[0];
}
