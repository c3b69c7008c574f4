// Keeps the ties between elements that lie apart, as the last passes learned them. An element's text may name another
// one, a control may hold a value, and some elements change without a sign. The ties show which other places a change
// concerns.

import { contains, holds, isConnected } from "../dom/dom.ts";

export interface CrossTies {
  /** Notes that `on` affects the line of `dependent`. */
  depends(on: Element, dependent: Element): void;
  dependents(on: Element): Iterable<Element>;
  /** Returns the elements outside `el` that depend on something inside it. */
  dependentsOnInside(el: Element): Element[];
  /** Notes that `el` names elements by reference, for the line of `dependent`. */
  refers(el: Element, found: readonly Element[], dependent: Element): void;
  /** Yields all elements that name others by reference, with the elements that they found. */
  references(): Iterable<[Element, Reference]>;
  /**
   * Notes that the element may change without any sign, so it is read again each time. `deep` includes all inside it.
   */
  restless(el: Element, deep: boolean): void;
  restlessOnes(): Iterable<[Element, boolean]>;
}

export interface Reference {
  found: readonly Element[];
  readonly dependents: Set<Element>;
}

export function createCrossTies(): CrossTies {
  const dependents = new WeakMap<Element, Set<Element>>();
  const apart = new Set<Element>();
  const references = new Map<Element, Reference>();
  const restless = new Map<Element, boolean>();
  return {
    depends(on, dependent) {
      // An ancestor of `on` is read again anyway.
      if (contains(dependent, on)) return;
      const known = dependents.get(on);
      if (known === undefined) dependents.set(on, new Set([dependent]));
      else known.add(dependent);
      if (!contains(on, dependent)) apart.add(on);
    },
    dependents: (on) => dependents.get(on) ?? [],
    dependentsOnInside(el) {
      const found: Element[] = [];
      for (const on of apart) {
        if (!isConnected(on)) apart.delete(on);
        else if (contains(el, on) || holds(el, on)) found.push(...(dependents.get(on) ?? []));
      }
      return found;
    },
    refers(el, found, dependent) {
      const known = references.get(el);
      if (known === undefined) references.set(el, { found, dependents: new Set([dependent]) });
      else {
        known.found = found;
        known.dependents.add(dependent);
      }
    },
    *references() {
      for (const entry of references) {
        if (isConnected(entry[0])) yield entry;
        else references.delete(entry[0]);
      }
    },
    restless: (el, deep) => restless.set(el, deep || restless.get(el) === true),
    *restlessOnes() {
      for (const entry of restless) {
        if (isConnected(entry[0])) yield entry;
        else restless.delete(entry[0]);
      }
    },
  };
}
