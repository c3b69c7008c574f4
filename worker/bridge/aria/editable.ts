// How an element takes text, and which element of a composite one does.

import { attr, getter, has, rectOf, shadowRootOf, styleOf, tagOf } from "../dom/dom.ts";
import { ofRoles, queryRoles, type RoleSelector } from "../dom/role-selector.ts";
import { labelledControl } from "./native-name.ts";
import { roleOf } from "./role.ts";
import { inputTypeOf } from "./value.ts";

export type EditKind = "text" | "rich" | "value" | "select" | "options";

export const isContentEditable = getter(HTMLElement.prototype, "isContentEditable");

const TYPED = new Set(["text", "search", "tel", "url", "email", "password", "number"]);
const SET = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);

/** How the element itself takes text; undefined where it does not. */
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

/** An input that no text goes into, but what its list offers. */
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

/** What of the EditContext API is used here; TypeScript does not know it. */
interface EditContext {
  text: string;
  updateSelection(start: number, end: number): void;
}

/** What takes the text of an element whose page draws it itself; null for nearly all. */
export function editContextOf(el: Element): EditContext | null {
  return el instanceof HTMLElement ? ((getEditContext?.call(el) as EditContext | null) ?? null) : null;
}

const getEditContext = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "editContext")?.get;
const SPECK = 2;

/** Whether the text goes on to an editor of the page's own, which alone knows what is all of it. */
export function feedsEditor(field: Element): boolean {
  if (editContextOf(field) !== null) return true;
  if (tagOf(field) !== "textarea") return false;
  const { width, height } = rectOf(field);
  return width <= SPECK || height <= SPECK || styleOf(field).opacity === "0";
}

/** Whether a line break in the text begins another paragraph: not in plain text. */
export function hasParagraphs(field: Element): boolean {
  if (ownEditKind(field) !== "rich") return false;
  return styleOf(field).getPropertyValue("-webkit-user-modify") === "read-write";
}

/** Whether it opens, or is, a list of options of the page's own making. */
export function opensList(el: Element): boolean {
  const tag = tagOf(el);
  if (tag === "select" || attr(el, "list") !== null) return false;
  const role = roleOf(el, tag);
  return role === "combobox" || role === "listbox" || attr(el, "aria-haspopup") === "listbox";
}

const FIELDS = ofRoles("combobox", "input, textarea, select, [contenteditable], [aria-haspopup=listbox]");
const LISTS = ofRoles("listbox");
const TEXT_FIELDS: RoleSelector = { css: "input, textarea, [contenteditable]", roles: new Set() };

/** Those of its shadow root, else its own. */
function fieldsIn(el: Element, selector: RoleSelector): Element[] {
  const root = shadowRootOf(el);
  for (const each of root === null ? [el] : [root, el]) {
    const fields = [...queryRoles(each, selector)].filter((field) => ownEditKind(field) !== undefined);
    if (fields.length > 0) return fields;
  }
  return [];
}

/** The element that takes the text: itself, a label's control, or the only field inside a wrapper (also in its shadow root). */
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

/** A field for files, or the label of one. */
export function takesFiles(el: Element): boolean {
  const field = tagOf(el) === "input" ? el : labelledControl(el);
  return field !== null && tagOf(field) === "input" && inputTypeOf(field as HTMLInputElement) === "file";
}

export function isReadonly(el: Element): boolean {
  const field = fieldOf(el) ?? el;
  const tag = tagOf(field);
  // Nobody types there, but chooses; a list can be fixed all the same.
  if (ownEditKind(field) === "options")
    return roleOf(field) === "listbox" && attr(field, "aria-readonly") === "true";
  if ((tag === "input" || tag === "textarea") && has(field, "readonly")) return true;
  return attr(el, "aria-readonly") === "true" || attr(field, "aria-readonly") === "true";
}
