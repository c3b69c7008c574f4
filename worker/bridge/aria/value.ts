// Reads what a control holds as text. It never returns a password.

import { attr, getter, has, styleOf, tagOf, textContentOf } from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import { ofRoles, queryRoles } from "../dom/role-selector.ts";
import type { PassCache } from "./pass-cache.ts";

export const MASK = "[masked]";

export const inputValueOf = getter(HTMLInputElement.prototype, "value");
export const areaValueOf = getter(HTMLTextAreaElement.prototype, "value");
export const isChecked = getter(HTMLInputElement.prototype, "checked");
export const inputDefaultOf = getter(HTMLInputElement.prototype, "defaultValue");
export const areaDefaultOf = getter(HTMLTextAreaElement.prototype, "defaultValue");
export const isCheckedByDefault = getter(HTMLInputElement.prototype, "defaultChecked");
export const isIndeterminate = getter(HTMLInputElement.prototype, "indeterminate");
/** Returns the type as the browser understands it: "text" for an unknown one. */
export const inputTypeOf = getter(HTMLInputElement.prototype, "type");
export const optionsOf = getter(HTMLSelectElement.prototype, "options");
export const isSelected = getter(HTMLOptionElement.prototype, "selected");
export const isSelectedByDefault = getter(HTMLOptionElement.prototype, "defaultSelected");
const filesOf = getter(HTMLInputElement.prototype, "files");
const progressOf = getter(HTMLProgressElement.prototype, "value");
const meterOf = getter(HTMLMeterElement.prototype, "value");

const WITHOUT_VALUE = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "hidden"]);
const RANGE_ROLES = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar"]);

/** Returns the value to show. It returns undefined if there is none, as for an empty field. */
export function valueOf(el: Element, tag: string, role: string, survey: PassCache): string | undefined {
  const value = rawValue(el, tag, role);
  if (value === undefined || value === "") return undefined;
  return isSecret(el, tag, survey) ? MASK : value;
}

/** Reports if the field's value must stay hidden: a password, even if the page made it readable. */
function isSecret(el: Element, tag: string, survey: PassCache): boolean {
  if (tag !== "input" && tag !== "textarea") return false;
  if (survey.wasSecret(el)) return true;
  if (tag !== "input") return false;
  if (/\b(current|new)-password\b/i.test(attr(el, "autocomplete") ?? "")) return true;
  const hiding = styleOf(el).getPropertyValue("-webkit-text-security");
  return hiding !== "" && hiding !== "none";
}

/** Returns the text of the options that are chosen in a select. */
export function chosenText(el: Element): string[] {
  const chosen: string[] = [];
  for (const option of optionsOf(el as HTMLSelectElement)) {
    if (isSelected(option)) chosen.push(optionText(option));
  }
  return chosen;
}

/** Returns the text that a select shows for an option: its label attribute or else its content. */
export function optionText(option: Element): string {
  const label = attr(option, "label");
  return collapsed(label === null || label === "" ? (option.textContent ?? "") : label);
}

/** Returns the name of an option, which may differ from its shown text. */
export function optionName(option: Element): string {
  return collapsed(attr(option, "aria-label") ?? "") || optionText(option);
}

function rawValue(el: Element, tag: string, role: string): string | undefined {
  switch (tag) {
    case "input":
      return inputValue(el as HTMLInputElement);
    case "textarea":
      return areaValueOf(el as HTMLTextAreaElement);
    case "progress":
      return has(el, "value") ? String(progressOf(el as HTMLProgressElement)) : undefined;
    case "meter":
      return collapsed(el.textContent ?? "") || String(meterOf(el as HTMLMeterElement));
    default:
      return RANGE_ROLES.has(role) ? ariaValue(el) : undefined;
  }
}

function inputValue(el: HTMLInputElement): string | undefined {
  const type = inputTypeOf(el);
  if (WITHOUT_VALUE.has(type)) return undefined;
  if (type === "range") return attr(el, "aria-valuetext") ?? inputValueOf(el);
  if (type === "file") return [...(filesOf(el) ?? [])].map((file) => file.name).join(", ");
  return inputValueOf(el);
}

function ariaValue(el: Element): string | undefined {
  return attr(el, "aria-valuetext") ?? attr(el, "aria-valuenow") ?? undefined;
}

/** Returns the value as part of the name of the element around the control: "Flash the screen 3 times". */
export function embeddedValue(el: Element, role: string, survey: PassCache): string | undefined {
  const tag = tagOf(el);
  if (tag === "select") return chosenText(el).join(" ");
  if (role === "listbox") return selectedOptions(el);
  if (
    role === "textbox" ||
    role === "searchbox" ||
    role === "spinbutton" ||
    role === "slider" ||
    role === "combobox"
  ) {
    const value = valueOf(el, tag, role, survey) ?? ariaValue(el);
    if (value !== undefined || tag === "input" || tag === "textarea") return value ?? "";
  }
  return RANGE_ROLES.has(role) ? (valueOf(el, tag, role, survey) ?? "") : undefined;
}

const OPTIONS = ofRoles("option");

function selectedOptions(el: Element): string {
  const selected = [...queryRoles(el, OPTIONS)].filter((option) => attr(option, "aria-selected") === "true");
  return selected.map((option) => collapsed(textContentOf(option) ?? "")).join(" ");
}
