// Decides if a client can act on an element now, and at which point. The element must be visible, enabled, editable, in
// view, stable and uncovered.

import { boxOf, describeCover, facesOf, type Hit, hitTest } from "../aim/hit.ts";
import type { HitGuard } from "../aim/hit-guard.ts";
import { missingFieldsAround } from "../aim/missing-fields.ts";
import { openerOf } from "../aim/recovery-hints.ts";
import { isArriving, isEndless, isStable, RESTLESS_MS_MAX, STEADY_MS_MAX } from "../aim/stable.ts";
import type { Box, DeliveredIn, Need, Readiness, Refusal } from "../api/bridge-api.ts";
import { editContextOf, editKind, isReadonly, takesFiles } from "../aria/editable.ts";
import { labelsOf } from "../aria/native-name.ts";
import { isOff } from "../aria/state.ts";
import { inputTypeOf } from "../aria/value.ts";
import { scrollIntoView, styleOf, tagOf } from "../dom/dom.ts";
import { pictureOf } from "../dom/image-map.ts";
import { visibilityOf } from "../dom/visibility.ts";
import { successorElement, targetOrSuccessor } from "../identity/candidates.ts";
import { changedSince } from "../identity/staleness.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { describe } from "../tree/describe.ts";
import { onceUncovered } from "./leaving.ts";

export async function ready(
  context: PageContext,
  ref: string,
  need: Need,
  delivered?: DeliveredIn,
  guard?: HitGuard,
  again = false,
): Promise<Readiness> {
  const target = targetOrSuccessor(context, ref);
  if (target.state !== "present") return target;
  const refusal = changedSince(context, target, delivered) ?? refuse(context, target.element, need);
  if (refusal !== undefined) return refusal;
  const place = visiblePlace(target.element, context);
  if (place === undefined) {
    const opener = openerOf(target.element, context);
    return { state: "hidden", element: describe(target.element, context), ...(opener && { opener }) };
  }
  const answered = await settleAt(context, { ...target, ref, delivered, again }, place, need);
  if (answered.state === "ready" && need === "click")
    guard?.arm({
      ...target,
      place,
      point: answered.point,
      isReady: () => lateRefusal(context, { ...target, ref, delivered, again }, need) === undefined,
      successor: () => successorElement(context, ref),
    });
  return answered;
}

function refuse(context: PageContext, el: Element, need: Need): Refusal | undefined {
  const survey = context.survey();
  const tag = tagOf(el);
  const say = <State extends "disabled" | "readonly" | "not-editable">(state: State) => ({
    state,
    element: describe(el, context),
  });
  if ((need === "click" || need === "edit") && isOff(el, tag, "", survey))
    return { ...say("disabled"), ...missingFieldsAround(el, context) };
  if (need !== "edit") return undefined;
  if (editKind(el) === undefined) return { ...say("not-editable"), ...(takesFiles(el) && { file: true }) };
  return isReadonly(el) ? say("readonly") : undefined;
}

const SPECK = 2;

/**
 * Returns the element to aim at: the element itself, or the visible label or wrapper of a hidden control. It is
 * undefined if there is none.
 */
export function visiblePlace(el: Element, context: PageContext): Element | undefined {
  if (isRendered(el) && !isSpeck(el) && styleOf(el).pointerEvents !== "none") return el;
  const label = labelsOf(el, context.survey()).find(
    (candidate) => isRendered(candidate) && boxOf(candidate) !== undefined,
  );
  if (label !== undefined) return label;
  if (!isRendered(el) && editContextOf(el) === null) return undefined;
  const face = isSpeck(el) ? facesOf(el).find((each) => !isSpeck(each)) : undefined;
  return face ?? el;
}

function isRendered(el: Element): boolean {
  const tag = tagOf(el);
  if (tag === "input" && inputTypeOf(el as HTMLInputElement) === "hidden") return false;
  const visibility = visibilityOf(el, tag);
  if (visibility !== "shown" && !(visibility === "bare" && tag !== "option" && tag !== "optgroup"))
    return false;
  return boxOf(el) !== undefined;
}

// A page may hide a checkbox by a size of one pixel. People click its label.
function isSpeck(el: Element): boolean {
  const box = boxOf(el);
  return box === undefined || (box.width <= SPECK && box.height <= SPECK);
}

interface Aimed {
  ref: string;
  element: Element;
  number: number;
  delivered: DeliveredIn | undefined;
  again: boolean;
}

async function settleAt(context: PageContext, target: Aimed, place: Element, need: Need): Promise<Readiness> {
  const refusal = () => lateRefusal(context, target, need);
  const stood = await standing(context, place, target.again, refusal);
  if (!("state" in stood)) return stood.refusal;
  const isMet = need === "click" || need === "hover";
  const hit = stood.state === "covered" && isMet ? await onceUncovered(place, stood, context) : stood;
  const late = hit === stood ? undefined : refusal();
  return late ?? answer(context, target.element, place, hit, need);
}

/**
 * Brings the target into view and waits until it is stable. It returns the hit at that time, or the reason for a
 * refusal that came up meanwhile.
 */
async function standing(
  context: PageContext,
  place: Element,
  again: boolean,
  refusal: () => Refusal | undefined,
): Promise<Hit | { refusal: Refusal }> {
  const until = performance.now() + STEADY_MS_MAX;
  let hit = hitTest(place, context.survey());
  for (let moves = again || isArriving(place); ; moves = isArriving(place)) {
    if (hit.state !== "free" || isFramed) moves = bringIntoView(place, hit) || moves;
    if (!moves) return hit;
    // An element that is never stable is pressed at its present position. The page does not receive a press that would
    // meet another element.
    await isStable(place, again || isEndless(place) ? RESTLESS_MS_MAX : STEADY_MS_MAX);
    const late = refusal();
    if (late !== undefined) return { refusal: late };
    hit = hitTest(place, context.survey());
    // Coming into view may have moved the element, and a stable element may begin to move.
    if (hit.state === "free" || performance.now() >= until) return hit;
  }
}

const isFramed = window !== window.parent;

function lateRefusal(
  context: PageContext,
  { ref, delivered, ...target }: Aimed,
  need: Need,
): Refusal | undefined {
  const again = targetOrSuccessor(context, ref);
  if (again.state !== "present") return again;
  return changedSince(context, target, delivered) ?? refuse(context, target.element, need);
}

/** Scrolls if the element is not free in view, and returns true if it moved. */
function bringIntoView(place: Element, hit: Hit): boolean {
  const before = boxOf(place);
  const block = hit.state === "free" ? "nearest" : "center";
  const shown = tagOf(place) === "area" ? (pictureOf(place) ?? place) : place;
  scrollIntoView(shown, { block, inline: block === "center" ? "center" : "nearest", behavior: "instant" });
  const after = boxOf(place);
  return before === undefined || after === undefined || before.x !== after.x || before.y !== after.y;
}

function answer(context: PageContext, el: Element, place: Element, hit: Hit, need: Need): Readiness {
  const element = describe(el, context);
  const rect = boxOf(place);
  if (rect === undefined || (hit.state === "out-of-view" && (need === "click" || need === "hover")))
    return { state: "hidden", element };
  const box: Box = { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
  if (hit.state === "free") return { state: "ready", element, point: hit.point, box };
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  if (hit.state === "covered" && (need === "click" || need === "hover")) {
    return { state: "covered", element, ...describeCover(hit.by, place, context) };
  }
  return { state: "ready", element, point: middle, box };
}
