// Waits for a cover that is about to disappear: the backdrop of a dialog that closes, a menu that fades.

import { type Hit, hitTest } from "../aim/hit.ts";
import { comesToAnEnd, nextFrame } from "../aim/stable.ts";
import { animationsIn, composedParent, holds, styleOf } from "../dom/dom.ts";
import type { PageContext } from "../incremental/page-context.ts";

const LEAVING_MS_MAX = 1_500;
/** Pages remove a faded element by their own timer, somewhat later. */
const REMOVED_MS_MAX = 300;

/** Returns the hit after the cover has gone. It returns the same hit if the cover does not move, or stays. */
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

/** Returns the hit element and its ancestors that do not hold the target. */
function layersOf(by: Element, place: Element): Element[] {
  const layers: Element[] = [];
  for (let el: Element | null = by; el !== null && !holds(el, place); el = composedParent(el))
    layers.push(el);
  return layers;
}

/** Reports if a finite animation or transition runs on the layer or in it. */
function moves(layer: Element): boolean {
  return animationsIn(layer, { subtree: true }).some(comesToAnEnd);
}

function isFaded(layer: Element): boolean {
  return styleOf(layer).opacity === "0";
}
