// Decides how an element takes text, and which part of a composite element does.

import { attr, getter, has, rectOf, shadowRootOf, styleOf, tagOf } from "../dom/dom.ts";
import { ofRoles, queryRoles, type RoleSelector } from "../dom/role-selector.ts";
import { labelledControl } from "./native-name.ts";
import { roleOf } from "./role.ts";
import { inputTypeOf } from "./value.ts";

export type EditKind = "text" | "rich" | "value" | "select" | "options";

export const isContentEditable = getter(HTMLElement.prototype, "isContentEditable");

const TYPED = new Set(["text", "search", "tel", "url", "email", "password", "number"]);
const SET = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);

/** Returns how the element itself takes text, or undefined if it does not. */
export function ownEditKind(el: Element): EditKind | undefined {
  const tag = tagOf(el);
  if (tag === "textarea") return "text";
  if (tag === "select") return "select";
  if (tag === "input") {
    const type = inputTypeOf(el as HTMLInputElement);
    if (TYPED.has(type)) return isChosenFrom(el) ? "options" : "text";
    return SET.has(type) ? "value" : undefined;
  }
  if (el instanceof HTMLElement && (isContentEditable(el) || editContextOf(el) !== null)) return "rich";
  return opensList(el) && !takesText(el) ? "options" : undefined;
}

/** Such an input takes no typed text. Its value comes from its list. */
function isChosenFrom(el: Element): boolean {
  const refusesText =
    has(el, "readonly") || attr(el, "aria-readonly") === "true" || attr(el, "inputmode") === "none";
  return refusesText && opensList(el);
}

function takesText(el: Element): boolean {
  return fieldsIn(el, TEXT_FIELDS).some((field) => {
    const kind = ownEditKind(field);
    return (kind === "text" && !has(field, "readonly")) || kind === "rich";
  });
}

/** TypeScript does not know the EditContext API. These are the parts that the bridge uses. */
interface EditContext {
  text: string;
  updateSelection(start: number, end: number): void;
}

/** Returns the object that takes the text of an element whose page draws the text itself. It is null for nearly all. */
export function editContextOf(el: Element): EditContext | null {
  return el instanceof HTMLElement ? ((getEditContext?.call(el) as EditContext | null) ?? null) : null;
}

const getEditContext = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "editContext")?.get;
const SPECK = 2;

/** Reports if the text goes on to an editor of the page's own. Only that editor knows the whole text. */
export function feedsEditor(field: Element): boolean {
  if (editContextOf(field) !== null) return true;
  if (tagOf(field) !== "textarea") return false;
  const { width, height } = rectOf(field);
  return width <= SPECK || height <= SPECK || styleOf(field).opacity === "0";
}

/** Reports if a line break in the text begins another paragraph. It does not in plain text. */
export function hasParagraphs(field: Element): boolean {
  if (ownEditKind(field) !== "rich") return false;
  return styleOf(field).getPropertyValue("-webkit-user-modify") === "read-write";
}

/** Reports if the element opens, or is, a list of options that the page made itself. */
export function opensList(el: Element): boolean {
  const tag = tagOf(el);
  if (tag === "select" || attr(el, "list") !== null) return false;
  const role = roleOf(el, tag);
  return role === "combobox" || role === "listbox" || attr(el, "aria-haspopup") === "listbox";
}

const FIELDS = ofRoles("combobox", "input, textarea, select, [contenteditable], [aria-haspopup=listbox]");
const LISTS = ofRoles("listbox");
const TEXT_FIELDS: RoleSelector = { css: "input, textarea, [contenteditable]", roles: new Set() };

/** Returns the fields of the element's shadow root, or else those among its own descendants. */
function fieldsIn(el: Element, selector: RoleSelector): Element[] {
  const root = shadowRootOf(el);
  for (const each of root === null ? [el] : [root, el]) {
    const fields = [...queryRoles(each, selector)].filter((field) => ownEditKind(field) !== undefined);
    if (fields.length > 0) return fields;
  }
  return [];
}

/**
 * Returns the element that takes the text: the element itself, a label's control, or the only field inside a wrapper.
 * The field may be in the wrapper's shadow root.
 */
export function fieldOf(el: Element): Element | undefined {
  if (ownEditKind(el) !== undefined) return el;
  const control = labelledControl(el);
  if (control !== null) return ownEditKind(control) === undefined ? undefined : control;
  const near = fieldsIn(el, FIELDS);
  const fields = near.length > 0 ? near : fieldsIn(el, LISTS);
  return fields.length === 1 ? fields[0] : undefined;
}

export function editKind(el: Element): EditKind | undefined {
  const field = fieldOf(el);
  return field === undefined ? undefined : ownEditKind(field);
}

/** Reports if the element is a field for files or the label of such a field. */
export function takesFiles(el: Element): boolean {
  const field = tagOf(el) === "input" ? el : labelledControl(el);
  return field !== null && tagOf(field) === "input" && inputTypeOf(field as HTMLInputElement) === "file";
}

export function isReadonly(el: Element): boolean {
  const field = fieldOf(el) ?? el;
  const tag = tagOf(field);
  // A user chooses there and types nothing, so `readonly` means little. A list can still be fixed.
  if (ownEditKind(field) === "options")
    return roleOf(field) === "listbox" && attr(field, "aria-readonly") === "true";
  if ((tag === "input" || tag === "textarea") && has(field, "readonly")) return true;
  return attr(el, "aria-readonly") === "true" || attr(field, "aria-readonly") === "true";
}
