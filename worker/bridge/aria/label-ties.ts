// Keeps which label belongs to which control by `for`, and finds the ties that have changed.

import { queryAll, type Root } from "../dom/dom.ts";
import { labelledControl } from "./native-name.ts";

/** These attributes decide which control a label belongs to. */
export const TYING_ATTRIBUTES: ReadonlySet<string | null> = new Set(["for", "id"]);

export interface LabelTies {
  note(roots: readonly Root[]): void;
  /** Returns the labels and controls whose tie has changed since it was noted. */
  changed(roots: readonly Root[]): Element[];
}

export function createLabelTies(): LabelTies {
  let known = new Map<Element, Element | null>();
  return {
    note(roots) {
      known = tiesOf(roots);
    },
    changed(roots) {
      const before = known;
      known = tiesOf(roots);
      const changed: Element[] = [];
      for (const [label, control] of known) {
        const was = before.get(label) ?? null;
        if (was !== control) changed.push(label, ...[was, control].filter((el) => el !== null));
        before.delete(label);
      }
      for (const control of before.values()) if (control !== null) changed.push(control);
      return changed;
    },
  };
}

function tiesOf(roots: readonly Root[]): Map<Element, Element | null> {
  const ties = new Map<Element, Element | null>();
  for (const root of roots) {
    for (const label of queryAll(root, "label[for]")) ties.set(label, labelledControl(label));
  }
  return ties;
}
