// Keeps what the page's controls hold, and finds those that have changed. No mutation record reports values, checks,
// choices and validity.

import { getter, isConnected, matches } from "../dom/dom.ts";
import {
  areaValueOf,
  inputTypeOf,
  inputValueOf,
  isChecked,
  isIndeterminate,
  isSelected,
  optionsOf,
} from "./value.ts";

export interface Controls {
  /** Remembers what the control holds. */
  note(el: Element, tag: string): void;
  /** Returns the controls that have changed since they were noted. */
  changed(): Element[];
}

interface Held {
  kind: "toggle" | "input" | "textarea" | "select";
  value: string;
  on: boolean;
  mixed: boolean;
  invalid: number;
}

const selectedIndexOf = getter(HTMLSelectElement.prototype, "selectedIndex");
const isMultiple = getter(HTMLSelectElement.prototype, "multiple");

export function createControls(): Controls {
  const controls = new Map<Element, Held>();
  return {
    note(el, tag) {
      const kind = kindOf(el, tag);
      if (kind !== undefined) controls.set(el, held(el, kind));
    },
    changed() {
      const changed: Element[] = [];
      for (const [el, was] of controls) {
        if (isSame(el, was)) continue;
        if (isConnected(el)) changed.push(el);
        else controls.delete(el);
      }
      return changed;
    },
  };
}

function kindOf(el: Element, tag: string): Held["kind"] | undefined {
  if (tag === "textarea" || tag === "select") return tag;
  if (tag !== "input") return undefined;
  const type = inputTypeOf(el as HTMLInputElement);
  return type === "checkbox" || type === "radio" ? "toggle" : "input";
}

function held(el: Element, kind: Held["kind"]): Held {
  const toggles = kind === "toggle";
  return {
    kind,
    value: toggles ? "" : valueOf(el, kind),
    on: toggles && isChecked(el as HTMLInputElement),
    mixed: toggles && isIndeterminate(el as HTMLInputElement),
    invalid: invalidity(el),
  };
}

// A removed control counts as changed. The caller forgets it.
function isSame(el: Element, was: Held): boolean {
  if (!isConnected(el) || invalidity(el) !== was.invalid) return false;
  if (was.kind !== "toggle") return valueOf(el, was.kind) === was.value;
  return (
    isChecked(el as HTMLInputElement) === was.on && isIndeterminate(el as HTMLInputElement) === was.mixed
  );
}

function valueOf(el: Element, kind: Held["kind"]): string {
  if (kind === "textarea") return areaValueOf(el as HTMLTextAreaElement);
  if (kind === "input") return inputValueOf(el as HTMLInputElement);
  const select = el as HTMLSelectElement;
  if (!isMultiple(select)) return String(selectedIndexOf(select));
  return Array.from(optionsOf(select), (option) => (isSelected(option) ? "1" : "0")).join("");
}

function invalidity(el: Element): number {
  if (!matches(el, ":invalid")) return 0;
  return matches(el, ":user-invalid") ? 2 : 1;
}
