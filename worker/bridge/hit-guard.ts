// Whether a press meets what it was aimed at, decided as it happens: between the aim and the press the page may have moved
// the element, or laid another one there. What was meant for another element no listener of the page hears of.

import type { Described, Miss, Point } from "./api.ts";
import { describe, identify } from "./describe.ts";
import {
  composedParent,
  elementAt,
  getter,
  holds,
  innermostAt,
  isConnected,
  isElement,
  rectOf,
  tagOf,
} from "./dom.ts";
import { describeCover, meaningOf } from "./hit.ts";
import { type PageContext, targetOf } from "./page-context.ts";

/** What the next press is to meet: the element, or what is aimed at in its place (its label). */
export interface Aimed {
  ref: string;
  element: Element;
  place: Element;
  point: Point;
}

export interface HitGuard {
  /** Watches over the next press, and all that belongs to its click, until `missed` is asked; not for long. */
  arm(aimed: Aimed): void;
  /** Ends that. Says what the press met instead; undefined where it met what was aimed at, or nothing is known of it. */
  missed(prefix: string): Miss | undefined;
}

/** met: also where the press cannot be judged. Else what was hit, and whether it lay over the element. */
type Press = "met" | { by: Element; over: boolean };

interface Watched extends Aimed {
  untilMs: number;
  press?: Press;
}

const ARMED_MS_MAX = 5_000;
/** Chrome gives some events whole pixels, and scales in between. */
const PIXELS_OFF_MAX = 2;

/** All of a click but mousedown and mouseup, which do not come where pointerdown is refused. */
const TYPES = ["pointerdown", "pointerup", "click", "auxclick", "dblclick", "contextmenu"];

const eventOf = getter(window, "event");
const passOver = Function.prototype as () => void;

export function createHitGuard(context: PageContext): HitGuard {
  let watched: Watched | undefined;
  // All is done while the listener is looked up, which Chrome does not count as a script's time: whether the page's own
  // scripts have heard of the input is told by that count.
  const listener: EventListenerObject = {
    get handleEvent() {
      if (watched !== undefined) hear(context, watched, eventOf(window) as MouseEvent);
      return passOver;
    },
  };
  const listen = () => {
    for (const type of TYPES) addEventListener(type, listener, { capture: true, passive: false });
  };
  listen();
  return {
    arm(aimed) {
      // A document that was opened anew has lost its listeners. Those that are there stay before the page's.
      listen();
      watched = { ...aimed, untilMs: performance.now() + ARMED_MS_MAX };
    },
    missed(prefix) {
      const was = watched;
      watched = undefined;
      return was && missOf(context, was, prefix);
    },
  };
}

function hear(context: PageContext, watched: Watched, event: MouseEvent): void {
  if (!event.isTrusted || performance.now() > watched.untilMs) return;
  const isOurs =
    Math.abs(event.clientX - watched.point.x) <= PIXELS_OFF_MAX &&
    Math.abs(event.clientY - watched.point.y) <= PIXELS_OFF_MAX;
  if (watched.press === undefined && event.type === "pointerdown") {
    watched.press = isOurs ? judge(context, watched, event) : "met";
  }
  if (!isOurs || watched.press === undefined || watched.press === "met") return;
  event.stopImmediatePropagation();
  event.preventDefault();
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

const FRAMES = new Set(["iframe", "frame", "object", "embed"]);

function missOf(context: PageContext, { element, place, point, press }: Watched, prefix: string) {
  const say = (by: Element): Miss => ({
    state: "covered",
    element: describe(element, context.refs, context.survey(), prefix),
    ...describeCover(by, place, context, prefix),
  });
  if (press === "met") return undefined;
  if (press !== undefined) {
    if (press.over && isConnected(press.by)) return say(press.by);
    return { state: "moving", element: describe(element, context.refs, context.survey(), prefix) } as const;
  }
  // Nothing was heard: it went to another document, whose frame is part of what was meant, or lies over it.
  const frame = elementAt(point.x, point.y);
  return frame !== null && FRAMES.has(tagOf(frame)) && !holds(place, frame) ? say(frame) : undefined;
}
