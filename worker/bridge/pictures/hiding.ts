// Hides elements of a page by a property of their style, until that is undone.

import { animationsIn, attr, getter, removeAttribute, styleOf } from "../dom/dom.ts";

/** Leaves an element's place in the page, its hit tests, its tree and its focus. Text that others draw for it stays visible. */
export const MASK = {
  name: "mask-image",
  value: "linear-gradient(rgba(0, 0, 0, 0), rgba(0, 0, 0, 0))",
} as const;
/** Leaves only an element's place in the page. Nothing draws its text, and no printed page holds it. */
export const VISIBILITY = { name: "visibility", value: "hidden" } as const;

/** A property with the value that hides, as Chrome's computed styles spell it. */
export type HidingProperty = typeof MASK | typeof VISIBILITY;

interface Before {
  value: string;
  priority: string;
}

/** Elements that are hidden by their own style. */
export class Hiding {
  readonly #property: HidingProperty;
  readonly #hidden = new Map<Element, Before>();

  constructor(property: HidingProperty) {
    this.#property = property;
  }

  hide(elements: Iterable<Element>): void {
    const { name, value } = this.#property;
    for (const el of elements) {
      const style = ownStyleOf(el);
      if (style === undefined || this.#hidden.has(el)) continue;
      this.#hidden.set(el, {
        value: style.getPropertyValue(name),
        priority: style.getPropertyPriority(name),
      });
      style.setProperty(name, value, "important");
    }
    for (const el of this.#hidden.keys()) endTransitions(el, name);
  }

  /** Returns true if the computed style of each element still hides it. */
  holds(): boolean {
    return [...this.#hidden.keys()].every((el) => isHiddenBy(el, this.#property));
  }

  undo(): void {
    const { name } = this.#property;
    for (const [el, { value, priority }] of this.#hidden) {
      ownStyleOf(el)?.setProperty(name, value, priority);
      if (attr(el, "style") === "") removeAttribute(el, "style");
    }
    for (const el of this.#hidden.keys()) endTransitions(el, name);
    this.#hidden.clear();
  }
}

export function isHiddenBy(el: Element, { name, value }: HidingProperty): boolean {
  return styleOf(el).getPropertyValue(name) === value;
}

const STYLES = [HTMLElement, SVGElement, MathMLElement].map(
  (kind) => [kind, getter(kind.prototype as HTMLElement, "style")] as const,
);

/** A form may have a field named `style`, and an element of another kind has no style of its own. */
function ownStyleOf(el: Element): CSSStyleDeclaration | undefined {
  const [, read] = STYLES.find(([kind]) => el instanceof kind) ?? [];
  return read?.(el as HTMLElement);
}

/** Ends what would change the property slowly, on the element and on what inherits it. */
function endTransitions(el: Element, name: string): void {
  for (const animation of animationsIn(el, { subtree: true }))
    if (animation instanceof CSSTransition && animation.transitionProperty === name) animation.cancel();
}
