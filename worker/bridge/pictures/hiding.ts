// Hides elements from a picture by a property of their style, until that is undone.

import { composedParent, styleOf, tagOf } from "../dom/dom.ts";

/**
 * Keeps an element out of pictures, and in the page's layout, hit tests and tree: a call may read the page meanwhile. No
 * transition shows it step by step.
 */
export const MASK = {
  name: "mask-image",
  value: "linear-gradient(rgba(0, 0, 0, 0), rgba(0, 0, 0, 0))",
} as const;
/**
 * Keeps an element out of printed pages, too, from which a masked text could still be copied. The tree loses it, and a
 * transition delays it.
 */
export const VISIBILITY = { name: "visibility", value: "hidden" } as const;

/** A property with the value that hides, as Chrome's computed styles spell it. */
export type HidingProperty = typeof MASK | typeof VISIBILITY;

interface Before {
  property: HidingProperty;
  value: string;
  priority: string;
}

/** Elements that are hidden by their own style. */
export class Hiding {
  readonly #hidden = new Map<HTMLElement, Before>();

  hide(of: Element, property: HidingProperty): void {
    const el = (property === MASK ? maskable(of) : of) as HTMLElement;
    if (this.#hidden.has(el)) return;
    const { style } = el;
    const value = style.getPropertyValue(property.name);
    this.#hidden.set(el, { property, value, priority: style.getPropertyPriority(property.name) });
    style.setProperty(property.name, property.value, "important");
  }

  /** Returns true if the page's style sheets leave hidden all that was hidden. */
  holds(): boolean {
    return [...this.#hidden].every(([el, { property }]) => isHiddenBy(el, property));
  }

  undo(): void {
    for (const [el, { property, value, priority }] of this.#hidden) {
      el.style.setProperty(property.name, value, priority);
      if (el.getAttribute("style") === "") el.removeAttribute("style");
    }
    this.#hidden.clear();
  }
}

export function isHiddenBy(el: Element, { name, value }: HidingProperty): boolean {
  return styleOf(el).getPropertyValue(name) === value;
}

/** Parts of a list draw nothing themselves. */
const DRAWN_BY_LIST = new Set(["option", "optgroup"]);

/** Returns the element, or the nearest around it, that has a box of its own. A drawing's parts are in the drawing's. */
function maskable(el: Element): Element {
  let at = el;
  for (let up = composedParent(at); up !== null && !hasMask(at); up = composedParent(at)) at = up;
  return at;
}

function hasMask(el: Element): boolean {
  if (el instanceof SVGElement) return el instanceof SVGSVGElement && el.ownerSVGElement === null;
  return el instanceof HTMLElement && !DRAWN_BY_LIST.has(tagOf(el)) && styleOf(el).display !== "contents";
}
