// Keeps which elements of the page listen for clicks. No script can see the listeners of others, so the worker hands
// them in.

import {
  contentNodes,
  documentOf,
  isConnected,
  isElement,
  nodeTypeOf,
  parentOf,
  TEXT,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { CONTROLS, hasRoles } from "../dom/role-selector.ts";

export interface ClickListeners {
  /**
   * Takes the elements that listen, each under a number of the worker's, and the numbers of those that stopped. It
   * returns true if the lines of the tree may have changed by that.
   */
  hear(numbers: readonly number[], nodes: readonly Node[], gone: readonly number[]): boolean;
  /** Reports if a known listener takes clicks on the element itself, not only on the elements inside it. */
  isPressed(el: Element, role: string): boolean;
  /** Takes the elements whose lines may have changed since the last take. */
  take(): Element[];
  /** Reports if there are any elements to take. */
  any(): boolean;
}

/** Such an element is pressed as a whole, because its content belongs to it. Other controls inside do not matter. */
const UNITS = new Set(
  "row listitem article cell gridcell columnheader rowheader img figure heading option treeitem".split(" "),
);

export function createClickListeners(): ClickListeners {
  const listening = new Map<number, WeakRef<Element>>();
  let heard = new WeakSet<Element>();
  let around = new WeakSet<Element>();
  const changed = new Set<Element>();

  const alive = function* () {
    for (const ref of listening.values()) {
      const el = ref.deref();
      if (el !== undefined) yield el;
    }
  };
  const note = () => {
    heard = new WeakSet(alive());
    around = new WeakSet();
    for (const el of alive()) noteAround(el, around);
  };

  return {
    hear(numbers, nodes, gone) {
      for (const number of gone) {
        const el = listening.get(number)?.deref();
        if (el !== undefined) changed.add(el);
        listening.delete(number);
      }
      for (const [index, number] of numbers.entries()) {
        const node = nodes[index];
        if (!isElement(node) || documentOf(node) !== document) continue;
        listening.set(number, new WeakRef(node));
        changed.add(node);
      }
      note();
      return changed.size > 0;
    },
    isPressed(el, role) {
      if (!heard.has(el) || isEmptyPlace(el)) return false;
      return UNITS.has(role) || (!around.has(el) && !hasRoles(el, CONTROLS));
    },
    take() {
      const taken = [...changed].filter(isConnected);
      changed.clear();
      return taken;
    },
    any: () => changed.size > 0,
  };
}

/** A slot has no box of its own: a press meets the nodes assigned to it. Only text gives the press to the slot. */
function isEmptyPlace(el: Element): boolean {
  if (tagOf(el) !== "slot") return false;
  return ![...contentNodes(el)].some((node) => nodeTypeOf(node) === TEXT && textContentOf(node)?.trim());
}

function noteAround(el: Element, around: WeakSet<Element>): void {
  for (let up = parentOf(el); isElement(up) && !around.has(up); up = parentOf(up)) around.add(up);
}
