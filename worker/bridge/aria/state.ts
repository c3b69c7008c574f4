// Lists the states of an element in the order of its line. False states are left out, except `expanded=false`, which
// says that the element can be opened.

import { attr, closest, getter, has, innerOf, isElement, matches, parentOf, tagOf } from "../dom/dom.ts";
import { isDisabled } from "../dom/focusable.ts";
import type { PassCache } from "./pass-cache.ts";
import { inputTypeOf, isChecked, isIndeterminate, isSelected } from "./value.ts";

const CHECKABLE = new Set([
  "checkbox",
  "radio",
  "switch",
  "menuitemcheckbox",
  "menuitemradio",
  "option",
  "treeitem",
]);
const NATIVE_CONTROLS = new Set(["button", "input", "select", "textarea", "option", "optgroup", "fieldset"]);
const FIELDS = new Set(["input", "select", "textarea"]);

const validityOf = getter(HTMLInputElement.prototype, "validity");
const selectValidityOf = getter(HTMLSelectElement.prototype, "validity");
const areaValidityOf = getter(HTMLTextAreaElement.prototype, "validity");
const popoverTargetOf = getter(HTMLButtonElement.prototype, "popoverTargetElement");

/** Returns ` [checked] [disabled]`, each state after a space. `aria` means that the element has aria- attributes. */
export function statesOf(el: Element, tag: string, role: string, aria: boolean, survey: PassCache): string {
  const plain = !aria && role !== "heading" && tag !== "summary" && !NATIVE_CONTROLS.has(tag);
  if (plain && el !== survey.focused && !survey.anyAriaDisabled()) return "";
  const field = FIELDS.has(tag);
  let states = choiceStates(el, tag, role, aria);
  const mayBeOff = aria || NATIVE_CONTROLS.has(tag) || survey.anyAriaDisabled();
  if (mayBeOff && isOff(el, tag, role, survey)) states += " [disabled]";
  if (aria || tag === "summary" || tag === "button") states += expanded(el, tag, aria);
  if (el === survey.focused) states += " [active]";
  if (aria || field) states += required(el, field, aria) + invalid(el, tag, aria) + readonly(el, tag, aria);
  if (aria || role === "heading") states += level(el, tag, role, aria);
  if (aria) states += token("current", attr(el, "aria-current")) + sort(el);
  return states;
}

/** Returns the states checked, pressed and selected. */
function choiceStates(el: Element, tag: string, role: string, aria: boolean): string {
  let states = CHECKABLE.has(role) ? checked(el, tag, aria) : "";
  if (aria && role === "button") states += mixed("pressed", attr(el, "aria-pressed"));
  const selected =
    tag === "option" ? isSelected(el as HTMLOptionElement) : aria && attr(el, "aria-selected") === "true";
  return selected ? `${states} [selected]` : states;
}

function required(el: Element, field: boolean, aria: boolean): string {
  const isSaid = aria && attr(el, "aria-required") === "true";
  return isSaid || (field && has(el, "required")) ? " [required]" : "";
}

/** Reports if the element is disabled by itself, by a fieldset, or by aria-disabled on it or on an ancestor. */
export function isOff(el: Element, tag: string, role: string, survey: PassCache): boolean {
  if ((NATIVE_CONTROLS.has(tag) || tag.includes("-")) && isDisabled(el)) return true;
  if (!survey.anyAriaDisabled() || role === "generic") return attr(el, "aria-disabled") === "true";
  const isNear = innerOf(el) !== undefined || closest(el, "[aria-disabled]") !== null;
  return isNear && nearestAriaDisabled(el);
}

function nearestAriaDisabled(el: Element): boolean {
  for (let up: Node | null = el; isElement(up); up = parentOf(up)) {
    const value = attr(up, "aria-disabled");
    if (value === "true") return true;
  }
  return false;
}

/** Reports if a checkbox, a radio or a switch is checked. A mixed one is not. */
export function isTicked(el: Element): boolean {
  return checked(el, tagOf(el), true) === " [checked]";
}

/** Returns the checked state of a checkbox, a radio or another checkable role. */
function checked(el: Element, tag: string, aria: boolean): string {
  if (tag === "input") {
    const input = el as HTMLInputElement;
    const type = inputTypeOf(input);
    if (type === "checkbox" || type === "radio") {
      if (type === "checkbox" && isIndeterminate(input)) return " [checked=mixed]";
      return isChecked(input) ? " [checked]" : "";
    }
  }
  return aria ? mixed("checked", attr(el, "aria-checked")) : "";
}

function mixed(state: string, value: string | null): string {
  if (value === "true") return ` [${state}]`;
  return value === "mixed" ? ` [${state}=mixed]` : "";
}

function expanded(el: Element, tag: string, aria: boolean): string {
  const said = aria ? attr(el, "aria-expanded") : null;
  if (said === "true" || said === "false") return say(said === "true");
  if (tag === "summary") {
    const details = parentOf(el);
    return isElement(details) ? say(has(details, "open")) : "";
  }
  if (tag !== "button" || !has(el, "popovertarget")) return "";
  const target = popoverTargetOf(el as HTMLButtonElement);
  return target === null ? "" : say(matches(target, ":popover-open"));
}

const say = (open: boolean) => (open ? " [expanded]" : " [expanded=false]");

// An empty required field is invalid from the start. The state appears only after the user tried to leave or send it.
function invalid(el: Element, tag: string, aria: boolean): string {
  const said = aria ? attr(el, "aria-invalid") : null;
  if (said !== null && said !== "") return said === "false" ? "" : token("invalid", said);
  if (!FIELDS.has(tag) || !matches(el, ":invalid")) return "";
  const validity =
    tag === "input"
      ? validityOf(el as HTMLInputElement)
      : tag === "select"
        ? selectValidityOf(el as HTMLSelectElement)
        : areaValidityOf(el as HTMLTextAreaElement);
  return validity.valueMissing && !matches(el, ":user-invalid") ? "" : " [invalid]";
}

function readonly(el: Element, tag: string, aria: boolean): string {
  if ((tag === "input" || tag === "textarea") && has(el, "readonly")) return " [readonly]";
  return aria && attr(el, "aria-readonly") === "true" ? " [readonly]" : "";
}

function level(el: Element, tag: string, role: string, aria: boolean): string {
  const said = aria ? Number.parseInt(attr(el, "aria-level") ?? "", 10) : 0;
  if (said > 0) return ` [level=${said}]`;
  if (role !== "heading") return "";
  return /^h[1-6]$/.test(tag) ? ` [level=${tag.charAt(1)}]` : " [level=2]";
}

const CURRENT = new Set(["page", "step", "location", "date", "time", "grammar", "spelling"]);

function token(state: string, value: string | null): string {
  if (value === null || value === "" || value === "false") return "";
  return CURRENT.has(value) ? ` [${state}=${value}]` : ` [${state}]`;
}

function sort(el: Element): string {
  const value = attr(el, "aria-sort");
  return value === "ascending" || value === "descending" || value === "other" ? ` [sort=${value}]` : "";
}
