// Measures how an element scrolls along each axis: its position, its whole length and the length in view.
import { getter, setter, styleOf, tagOf } from "./dom.ts";

export type Axis = "vertical" | "horizontal";

const element = Element.prototype;

export const AXES = {
  vertical: {
    place: getter(element, "scrollTop"),
    move: setter(element, "scrollTop"),
    whole: getter(element, "scrollHeight"),
    shown: getter(element, "clientHeight"),
    style: "overflowY",
  },
  horizontal: {
    place: getter(element, "scrollLeft"),
    move: setter(element, "scrollLeft"),
    whole: getter(element, "scrollWidth"),
    shown: getter(element, "clientWidth"),
    style: "overflowX",
  },
} as const;

const SCROLLING = new Set(["auto", "scroll", "overlay"]);

/** Reports if the element holds more than is in view. The question forces a layout of the page. */
export function isLonger(el: Element, axis: Axis): boolean {
  const { whole, shown } = AXES[axis];
  return shown(el) > 0 && whole(el) > shown(el) + 1;
}

/** Reports if the element's style lets a person scroll it. */
export function mayScroll(style: CSSStyleDeclaration, axis: Axis): boolean {
  return SCROLLING.has(style[AXES[axis].style]);
}

/** Reports if a person can scroll the element. The document scrolls by itself, so it does not count. */
export function scrolls(el: Element, axis: Axis): boolean {
  if (!isLonger(el, axis) || tagOf(el) === "html" || tagOf(el) === "body") return false;
  return mayScroll(styleOf(el), axis);
}
