// What the last looks learnt of ties between elements that lie apart: whose text names whom, what a control holds, what
// can change without any sign. By them, a change in one place is known to concern another.

import { contains, holds, isConnected } from "../dom/dom.ts";

export interface CrossTies {
  /** `on` has a say in the line of `dependent`. */
  depends(on: Element, dependent: Element): void;
  dependents(on: Element): Iterable<Element>;
  /** Those that depend on something inside `el` without being inside it. */
  dependentsOnInside(el: Element): Element[];
  /** `el` names elements by reference, for the line of `dependent`. */
  refers(el: Element, found: readonly Element[], dependent: Element): void;
  /** All that name elements by reference, with what they found. */
  references(): Iterable<[Element, Reference]>;
  /** The element may change without any sign: it is looked at again each time. `deep`: with all inside. */
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
      // What stands around it is looked at again anyway.
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
