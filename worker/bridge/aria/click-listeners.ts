// Which elements of the page listen for clicks. No script finds that out of others' listeners: the worker hands them in.

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
   * Elements that listen, each under a number of the worker's; and the numbers of those that do so no longer. True where
   * any line may be another by that.
   */
  hear(numbers: readonly number[], nodes: readonly Node[], gone: readonly number[]): boolean;
  /** Whether a click on the element itself is listened for, as far as is known: not on what it holds. */
  isPressed(el: Element, role: string): boolean;
  /** Those whose lines may be others since they were last taken. */
  take(): Element[];
  /** Whether there are any to take. */
  any(): boolean;
}

/** What these hold belongs to them, so that they are pressed as a whole, whatever else can be pressed in them. */
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

/** A slot has no box of its own: what is put into it is pressed, and only text gets the press in the slot's place. */
function isEmptyPlace(el: Element): boolean {
  if (tagOf(el) !== "slot") return false;
  return ![...contentNodes(el)].some((node) => nodeTypeOf(node) === TEXT && textContentOf(node)?.trim());
}

function noteAround(el: Element, around: WeakSet<Element>): void {
  for (let up = parentOf(el); isElement(up) && !around.has(up); up = parentOf(up)) around.add(up);
}
