// Decides during a press if it meets its target. Between aim and press, the page may move the element, cover it, or put
// other content into it. No listener of the page receives a press that meets another element. The window's listeners
// may receive the rest of its click.

import type { Miss, Point, Pressed } from "../api/bridge-api.ts";
import {
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
import type { PageContext } from "../incremental/page-context.ts";
import { describe } from "../tree/describe.ts";
import { describeCover, meaningOf } from "./hit.ts";

/** The target of the next press: the element, or its label at the place of the aim. */
export interface Aimed {
  element: Element;
  place: Element;
  point: Point;
  /** Reports if the element is still the one that was delivered, and enabled. */
  isReady(): boolean;
  /** Returns the element that replaced it, if the page has made it anew. */
  successor(): Element | undefined;
}

export interface HitGuard {
  /**
   * Watches the next press and everything that belongs to its click. It stops when `pressed` is called, and always
   * after a short time.
   */
  arm(aimed: Aimed): void;
  /** Stops watching and reports the outcome of the press. A press that was not watched counts as met. */
  pressed(): Pressed;
}

/**
 * "met" includes a press that cannot be judged. Otherwise it has the element that was hit, and if that element covered
 * the target.
 */
type Press = "met" | { by: Element; over: boolean };

interface Watched extends Aimed {
  untilMs: number;
  /** At the time of the aim, a frame was at the point. */
  framed: boolean;
  press?: Press;
}

const ARMED_MS_MAX = 5_000;
/** Chrome gives some events whole pixels, and scales in between. */
const PIXELS_OFF_MAX = 2;

const PRESS = "pointerdown";
/** These are the other events of a click. mousedown and mouseup do not come after a refused pointerdown. */
const REST = ["pointerup", "click", "auxclick", "dblclick", "contextmenu"];

const eventOf = getter(window, "event");
const passOver = Function.prototype as () => void;

export function createHitGuard(context: PageContext): HitGuard {
  let watched: Watched | undefined;
  // All work is done in this getter, while Chrome looks up the listener. Chrome does not count that as script time. The
  // worker uses that time to learn if the page's own scripts received the input.
  const listener: EventListenerObject = {
    get handleEvent() {
      // These listeners are added only now, because each of them slows down every click.
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
      // A document that was opened anew has lost its listeners. A listener that is still there stays before the page's.
      guard();
      const framed = frameAt(aimed.point) !== undefined;
      watched = { ...aimed, framed, untilMs: performance.now() + ARMED_MS_MAX };
    },
    pressed() {
      const was = watched;
      watched = undefined;
      letRestPass();
      return was ? outcomeOf(context, was) : MET;
    },
  };
}

/** Reports if the event was withheld from the page. */
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

function judge(context: PageContext, aimed: Watched, event: Event): Press {
  const { element, place, point } = aimed;
  const [first] = event.composedPath() as Node[];
  if (!isElement(first)) return "met";
  const by = innermostAt(first, point.x, point.y);
  const survey = context.survey();
  const isHit = [place, element].some((each) => meaningOf(by, each, survey) !== "other");
  // An element that has become another one, or disabled, is aimed at anew and refused then.
  if (isHit) return aimed.isReady() ? "met" : { by, over: false };
  // Some pages make the element anew whenever the pointer moves.
  const successor = aimed.successor();
  if (successor && holds(successor, by)) return "met";
  const { left, right, top, bottom } = rectOf(place);
  const isThere = point.x >= left && point.x <= right && point.y >= top && point.y <= bottom;
  return { by, over: isThere && !holds(by, place) };
}

const MET: Pressed = { state: "met" };

function outcomeOf(context: PageContext, { element, place, point, framed, press }: Watched): Pressed {
  const say = (by: Element): Miss => ({
    state: "covered",
    element: describe(element, context),
    ...describeCover(by, place, context),
  });
  if (press === "met") return MET;
  if (press !== undefined) {
    if (press.over && isConnected(press.by)) return say(press.by);
    return { state: "moving", element: describe(element, context) };
  }
  // The press went to another document. Its frame belongs to the target or covers it.
  const frame = frameAt(point);
  return { state: "unheard", framed, ...(frame && !holds(place, frame) && { miss: say(frame) }) };
}

function frameAt({ x, y }: Point): Element | undefined {
  const el = elementAt(x, y);
  return el !== null && FRAME_TAGS.has(tagOf(el)) ? el : undefined;
}
