// What lies over an element and is on its way out: the backdrop of a dialog that closes, a menu that fades.

import { type Hit, hitTest } from "../aim/hit.ts";
import { comesToAnEnd, nextFrame } from "../aim/stable.ts";
import { animationsIn, composedParent, holds, styleOf } from "../dom/dom.ts";
import type { PageContext } from "../incremental/page-context.ts";

const LEAVING_MS_MAX = 1_500;
/** Pages remove what has faded by a timer of their own, somewhat later. */
const REMOVED_MS_MAX = 300;

/** Where the element can be met once what covers it has gone; the same where that does not move, or stays. */
export async function onceUncovered(place: Element, hit: Hit, context: PageContext): Promise<Hit> {
  const untilMs = performance.now() + LEAVING_MS_MAX;
  let now = hit;
  let leftMs = Number.NEGATIVE_INFINITY;
  for (let first = true; now.state === "covered" && performance.now() < untilMs; first = false) {
    const layers = layersOf(now.by, place);
    if (layers.some(moves) || (first && layers.some(isFaded))) leftMs = performance.now();
    if (performance.now() - leftMs > REMOVED_MS_MAX) break;
    await nextFrame();
    now = hitTest(place, context.survey());
  }
  return now;
}

/** What was hit and all that it stands in, but for what holds the place too. */
function layersOf(by: Element, place: Element): Element[] {
  const layers: Element[] = [];
  for (let el: Element | null = by; el !== null && !holds(el, place); el = composedParent(el))
    layers.push(el);
  return layers;
}

/** Whether an animation or transition that comes to an end runs on it or in it. */
function moves(layer: Element): boolean {
  return animationsIn(layer, { subtree: true }).some(comesToAnEnd);
}

function isFaded(layer: Element): boolean {
  return styleOf(layer).opacity === "0";
}
