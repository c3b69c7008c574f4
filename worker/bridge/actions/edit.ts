// Prepares a field for typing: it gets the focus, and its whole content is selected.

import type { DeliveredIn, Edit, SetValue } from "../api/bridge-api.ts";
import {
  editContextOf,
  editKind,
  feedsEditor,
  fieldOf,
  hasParagraphs,
  isContentEditable,
  isReadonly,
  opensList,
  ownEditKind,
  takesFiles,
} from "../aria/editable.ts";
import { isOff } from "../aria/state.ts";
import { areaValueOf, chosenText, inputTypeOf, inputValueOf } from "../aria/value.ts";
import {
  attr,
  execCommand,
  FRAME_TAGS,
  focusedElement,
  holds,
  isConnected,
  matches,
  setter,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { closestOf, ofRoles } from "../dom/role-selector.ts";
import { targetOrSuccessor } from "../identity/candidates.ts";
import { staleRef } from "../identity/staleness.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { describe } from "../tree/describe.ts";
import { ready } from "./ready.ts";

const focus = HTMLElement.prototype.focus;
const selectInput = HTMLInputElement.prototype.select;
const selectArea = HTMLTextAreaElement.prototype.select;
const setInputValue = setter(HTMLInputElement.prototype, "value");

export async function beginEdit(
  context: PageContext,
  ref: string | undefined,
  delivered?: DeliveredIn,
  choosing = false,
): Promise<Edit> {
  if (ref === undefined) return editFocused(context);
  const readiness = await ready(context, ref, "edit", delivered);
  if (readiness.state !== "ready") return readiness;
  const target = targetOrSuccessor(context, ref);
  if (target.state !== "present") return target;
  const field = fieldOf(target.element) as Element;
  const list = listOf(target.element) ?? listOf(field);
  if (ownEditKind(field) === "options" || (choosing && list !== undefined))
    return { state: "ready", kind: "options", element: readiness.element, empty: false, focusMoved: false };
  const focusMoved = field !== focusedElement();
  focusOn(field);
  // A page may replace the field when it gets the focus.
  if (!isConnected(field)) {
    const gone = targetOrSuccessor(context, ref);
    return gone.state === "present" ? { state: "not-editable", element: readiness.element } : gone;
  }
  selectAll(field);
  noteEdit(context, [target.element, field]);
  const to = focusElsewhere(field);
  if (to)
    return {
      state: "focus-moved",
      element: readiness.element,
      to: describe(to, context),
    };
  const kind = editKind(field) ?? "text";
  return {
    state: "ready",
    kind,
    element: readiness.element,
    empty: isEmpty(field),
    focusMoved,
    ...(list && { list }),
    ...writing(field),
    ...((kind === "value" || kind === "select") && { seen: context.update(false).snapshot }),
  };
}

function noteEdit({ edits, snapshots }: PageContext, fields: readonly Element[]): void {
  for (const field of fields) edits.set(field, snapshots.newest());
}

const SEARCHES = ofRoles("search", "search");

/** A field's value is not chosen from the suggestions of a search. */
function listOf(el: Element): "options" | "search" | undefined {
  if (!opensList(el)) return undefined;
  const isSearch = matches(el, "[type=search], [enterkeyhint=search]") || closestOf(el, SEARCHES) !== null;
  return isSearch ? "search" : "options";
}

/** Returns the element that has the focus instead of this field. Typed text would go there. */
function focusElsewhere(field: Element): Element | undefined {
  const focused = focusedElement();
  if (focused === null || focused === field) return undefined;
  return holds(field, focused) || holds(focused, field) ? undefined : focused;
}

function editFocused(context: PageContext): Edit {
  const field = focusedElement();
  if (field === null) return { state: "nothing-focused" };
  const element = describe(field, context);
  if (FRAME_TAGS.has(tagOf(field))) return { state: "in-frame", ref: element.ref };
  const kind = ownEditKind(field);
  if (kind === undefined) return { state: "not-editable", element, ...(takesFiles(field) && { file: true }) };
  if (isOff(field, tagOf(field), element.role, context.survey())) return { state: "disabled", element };
  if (isReadonly(field)) return { state: "readonly", element };
  const list = listOf(field);
  if (kind !== "options") selectAll(field);
  return {
    state: "ready",
    kind,
    element,
    empty: isEmpty(field),
    focusMoved: false,
    ...(list && { list }),
    ...writing(field),
  };
}

/** Says how text gets into the field. */
function writing(field: Element): { feeds?: true; paragraphs?: true } {
  if (feedsEditor(field)) return { feeds: true };
  return hasParagraphs(field) ? { paragraphs: true } : {};
}

/** Focuses an element without moving the page. */
export function focusOn(el: Element): void {
  if (el !== focusedElement()) focus.call(el as HTMLElement, { preventScroll: true });
}

function selectAll(field: Element): void {
  const tag = tagOf(field);
  if (tag === "input") selectInput.call(field as HTMLInputElement);
  else if (tag === "textarea") selectArea.call(field as HTMLTextAreaElement);
  else if (ownEditKind(field) === "rich") selectAllRich(field);
}

function selectAllRich(field: Element): void {
  const context = editContextOf(field);
  if (context === null || isContentEditable(field as HTMLElement)) execCommand(document, "selectAll");
  else context.updateSelection(0, context.text.length);
}

function isEmpty(field: Element): boolean {
  const tag = tagOf(field);
  if (tag === "input") return inputValueOf(field as HTMLInputElement) === "";
  if (tag === "textarea") return areaValueOf(field as HTMLTextAreaElement) === "";
  return tag === "select" ? chosenText(field).length === 0 : (textContentOf(field) ?? "").trim() === "";
}

/** These are the formats that a field without typed text expects, by its type. */
const FORMATS = new Map([
  ["date", "YYYY-MM-DD, as in 2026-03-31"],
  ["time", "HH:MM, as in 14:30"],
  ["datetime-local", "YYYY-MM-DDTHH:MM, as in 2026-03-31T14:30"],
  ["month", "YYYY-MM, as in 2026-03"],
  ["week", "YYYY-Www, as in 2026-W14"],
  ["color", "#rrggbb, as in #ff8800"],
  ["range", "a number"],
]);

export function setValue(
  context: PageContext,
  ref: string | undefined,
  value: string,
  delivered?: DeliveredIn,
): SetValue {
  const changed = staleRef(context, ref, delivered);
  if (changed !== undefined) return changed;
  const field = fieldFor(context, ref);
  if (field === undefined || tagOf(field) !== "input") return { state: "unknown" };
  const input = field as HTMLInputElement;
  const type = inputTypeOf(input);
  const before = inputValueOf(input);
  const wanted = value.trim();
  setInputValue(input, type === "color" ? wanted.toLowerCase() : wanted);
  if (!isTaken(type, wanted, inputValueOf(input))) {
    setInputValue(input, before);
    return { state: "malformed", expected: expectedOf(input, type) };
  }
  if (inputValueOf(input) !== before) sayChanged(input);
  return { state: "ready" };
}

function isTaken(type: string, wanted: string, now: string): boolean {
  if (type === "color") return /^#[0-9a-f]{6}$/i.test(wanted);
  if (type === "range") return wanted !== "" && Number.isFinite(Number(wanted));
  return wanted === "" || now !== "";
}

function expectedOf(input: HTMLInputElement, type: string): string {
  const bounds = ["min", "max"].flatMap((name) => {
    const bound = attr(input, name);
    return bound === null || bound === "" ? [] : `${name} ${bound}`;
  });
  return [FORMATS.get(type) ?? "text", ...bounds].join(", ");
}

/** Returns the element of a ref, or the focused element, as the field that takes the text. */
export function fieldFor(context: PageContext, ref: string | undefined): Element | undefined {
  if (ref === undefined) return focusedElement() ?? undefined;
  const target = targetOf(context, ref);
  return target.state === "present" ? fieldOf(target.element) : undefined;
}

/** Sends `input` and `change`, as when a person has chosen a value. */
export function sayChanged(el: Element): void {
  el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
}
