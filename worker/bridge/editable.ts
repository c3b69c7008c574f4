// How an element takes text, and which element of a composite one does.

import { attr, getter, has, queryAll, shadowRootOf, tagOf } from "./dom.ts";
import { labelledControl } from "./native-name.ts";
import { inputTypeOf } from "./value.ts";

export type EditKind = "text" | "rich" | "value" | "select";

const isContentEditable = getter(HTMLElement.prototype, "isContentEditable");

const TYPED = new Set(["text", "search", "tel", "url", "email", "password", "number"]);
const SET = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);

/** How the element itself takes text; undefined where it does not. */
export function ownEditKind(el: Element): EditKind | undefined {
  const tag = tagOf(el);
  if (tag === "textarea") return "text";
  if (tag === "select") return "select";
  if (tag === "input") {
    const type = inputTypeOf(el as HTMLInputElement);
    return TYPED.has(type) ? "text" : SET.has(type) ? "value" : undefined;
  }
  return el instanceof HTMLElement && isContentEditable(el) ? "rich" : undefined;
}

/** The element that takes the text: itself, a label's control, or the only field inside a wrapper (also in its shadow root). */
export function fieldOf(el: Element): Element | undefined {
  if (ownEditKind(el) !== undefined) return el;
  const control = labelledControl(el);
  if (control !== null) return ownEditKind(control) === undefined ? undefined : control;
  const root = shadowRootOf(el) ?? el;
  const fields = [...queryAll(root, "input, textarea, select, [contenteditable]")].filter(
    (field) => ownEditKind(field) !== undefined,
  );
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
  if ((tag === "input" || tag === "textarea") && has(field, "readonly")) return true;
  return attr(el, "aria-readonly") === "true" || attr(field, "aria-readonly") === "true";
}
