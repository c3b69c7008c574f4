// Whether a press meets what it was aimed at, decided as it happens: between the aim and the press the page may have moved
// the element, or laid another one there. Of a press that was meant for another element no listener of the page hears; of the
// rest of its click, those of the window may.

import type { Described, Miss, Point, Pressed } from "../api/bridge-api.ts";
import {
  composedParent,
  elementAt,
  FRAME_TAGS,
  getter,
  holds,
  innermostAt,
  isConnected,
  isElement,
  rectOf,
  tagOf,
} from "../dom/dom.ts";
import { listen, stopListening } from "../dom/listen.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { describe, identify } from "../tree/describe.ts";
import { describeCover, meaningOf } from "./hit.ts";

/** What the next press is to meet: the element, or what is aimed at in its place (its label). */
export interface Aimed {
  ref: string;
  element: Element;
  place: Element;
  point: Point;
}

export interface HitGuard {
  /** Watches over the next press, and all that belongs to its click, until `pressed` is asked; not for long. */
  arm(aimed: Aimed): void;
  /** Ends that. Says what became of the press; of one that was not watched over, that it met. */
  pressed(prefix: string): Pressed;
}

/** met: also where the press cannot be judged. Else what was hit, and whether it lay over the element. */
type Press = "met" | { by: Element; over: boolean };

interface Watched extends Aimed {
  untilMs: number;
  /** What was there at the aim was a frame. */
  framed: boolean;
  press?: Press;
}

const ARMED_MS_MAX = 5_000;
/** Chrome gives some events whole pixels, and scales in between. */
const PIXELS_OFF_MAX = 2;

const PRESS = "pointerdown";
/** The rest of a click but mousedown and mouseup, which do not come where pointerdown is refused. */
const REST = ["pointerup", "click", "auxclick", "dblclick", "contextmenu"];

const eventOf = getter(window, "event");
const passOver = Function.prototype as () => void;

export function createHitGuard(context: PageContext): HitGuard {
  let watched: Watched | undefined;
  // All is done while the listener is looked up, which Chrome does not count as a script's time: whether the page's own
  // scripts have heard of the input is told by that count.
  const listener: EventListenerObject = {
    get handleEvent() {
      // Only then, as each listener costs every click its time.
      if (watched !== undefined && stops(context, watched, eventOf(window) as MouseEvent)) guardRest();
      return passOver;
    },
  };
  const options = { capture: true, passive: false };
  let isRestGuarded = false;
  const guardRest = () => {
    isRestGuarded = true;
    for (const type of REST) listen(window, type, listener, options);
  };
  const letRestPass = () => {
    if (!isRestGuarded) return;
    isRestGuarded = false;
    for (const type of REST) stopListening(window, type, listener, options);
  };
  const guard = () => listen(window, PRESS, listener, options);
  guard();
  return {
    arm(aimed) {
      // A document that was opened anew has lost its listeners. Those that are there stay before the page's.
      guard();
      const framed = frameAt(aimed.point) !== undefined;
      watched = { ...aimed, framed, untilMs: performance.now() + ARMED_MS_MAX };
    },
    pressed(prefix) {
      const was = watched;
      watched = undefined;
      letRestPass();
      return was ? outcomeOf(context, was, prefix) : MET;
    },
  };
}

/** Whether the event was kept from the page. */
function stops(context: PageContext, watched: Watched, event: MouseEvent): boolean {
  if (!event.isTrusted || performance.now() > watched.untilMs) return false;
  const isOurs =
    Math.abs(event.clientX - watched.point.x) <= PIXELS_OFF_MAX &&
    Math.abs(event.clientY - watched.point.y) <= PIXELS_OFF_MAX;
  if (watched.press === undefined && event.type === PRESS)
    watched.press = isOurs ? judge(context, watched, event) : "met";
  if (!isOurs || watched.press === undefined || watched.press === "met") return false;
  event.stopImmediatePropagation();
  event.preventDefault();
  return true;
}

function judge(context: PageContext, { ref, element, place, point }: Watched, event: Event): Press {
  const [first] = event.composedPath() as Node[];
  if (!isElement(first)) return "met";
  const by = innermostAt(first, point.x, point.y);
  const survey = context.survey();
  if ([place, element].some((meant) => meaningOf(by, meant, survey) !== "other")) return "met";
  const target = targetOf(context, ref);
  // Made anew, as some pages do whenever the pointer moves.
  if (target.state === "removed" && isIn(context, by, target.element)) return "met";
  const { left, right, top, bottom } = rectOf(place);
  const isThere = point.x >= left && point.x <= right && point.y >= top && point.y <= bottom;
  return { by, over: isThere && !holds(by, place) };
}

/** Whether the element is, or stands in, one of that role and name. */
function isIn(context: PageContext, inner: Element, { role, name }: Described): boolean {
  const survey = context.survey();
  for (let el: Element | null = inner; el !== null; el = composedParent(el)) {
    const is = identify(el, survey);
    if (is.role === role && is.name === name) return true;
  }
  return false;
}

const MET: Pressed = { state: "met" };

function outcomeOf(
  context: PageContext,
  { element, place, point, framed, press }: Watched,
  prefix: string,
): Pressed {
  const say = (by: Element): Miss => ({
    state: "covered",
    element: describe(element, context.refs, context.survey(), prefix),
    ...describeCover(by, place, context, prefix),
  });
  if (press === "met") return MET;
  if (press !== undefined) {
    if (press.over && isConnected(press.by)) return say(press.by);
    return { state: "moving", element: describe(element, context.refs, context.survey(), prefix) };
  }
  // It went to another document, whose frame is part of what was meant, or lies over it.
  const frame = frameAt(point);
  return { state: "unheard", framed, ...(frame && !holds(place, frame) && { miss: say(frame) }) };
}

function frameAt({ x, y }: Point): Element | undefined {
  const el = elementAt(x, y);
  return el !== null && FRAME_TAGS.has(tagOf(el)) ? el : undefined;
}
