// Finds out if a control still holds the session's input. It may have been sent and emptied, or removed.

import type { Bridge, Held, TouchedControl } from "../api/bridge-api.ts";
import { fieldOf } from "../aria/editable.ts";
import { labelledControl } from "../aria/native-name.ts";
import { takesSecret } from "../aria/secret-field.ts";
import {
  areaDefaultOf,
  areaValueOf,
  inputDefaultOf,
  inputTypeOf,
  inputValueOf,
  isChecked,
  isCheckedByDefault,
  isSelected,
  isSelectedByDefault,
  optionsOf,
} from "../aria/value.ts";
import {
  attr,
  closest,
  createHtml,
  FRAME_TAGS,
  focusedElement,
  has,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { describe, identify } from "../tree/describe.ts";

export function heldInput(context: PageContext, touched: readonly TouchedControl[]): (Held | null)[] {
  return touched.map(({ ref, isTyped }) => {
    const target = targetOf(context, ref);
    if (target.state !== "present") return null;
    const control = controlOf(target.element);
    if (!differs(control) && !(isTyped && textIn(control).trim() !== "")) return null;
    const { role, name } = identify(control, context.survey());
    return { role, name };
  });
}

export function focused(context: PageContext): ReturnType<Bridge["focused"]> {
  const el = focusedElement();
  if (el === null) return null;
  const survey = context.survey();
  const { ref } = describe(el, context, survey);
  return { ref, isFrame: FRAME_TAGS.has(tagOf(el)), isSecret: takesSecret(el, survey) };
}

export function focusedByPerson(context: PageContext): ReturnType<Bridge["focusedByPerson"]> {
  const focus = focused(context);
  const el = focusedElement();
  if (focus === null || el === null) return null;
  const { isSecret } = focus;
  if (isSecret) context.secrets.add(el);
  return { ...focus, value: isSecret ? textIn(el) : "" };
}

/** Returns the control that a click on the element changes. */
function controlOf(el: Element): Element {
  const tag = tagOf(el);
  if (tag === "input" || tag === "textarea" || tag === "select") return el;
  if (tag === "option") return closest(el, "select") ?? el;
  const label = closest(el, "label");
  return (label && labelledControl(label)) ?? fieldOf(el) ?? el;
}

/** Returns if the control's state differs from the one that its page gave it. */
function differs(control: Element): boolean {
  switch (tagOf(control)) {
    case "input":
      return inputDiffers(control as HTMLInputElement);
    case "textarea":
      return areaValueOf(control as HTMLTextAreaElement) !== areaDefaultOf(control as HTMLTextAreaElement);
    case "select":
      return choiceDiffers(control as HTMLSelectElement);
    default:
      return false;
  }
}

function inputDiffers(input: HTMLInputElement): boolean {
  if (isToggle(input)) return isChecked(input) !== isCheckedByDefault(input);
  const value = inputValueOf(input);
  return value !== inputDefaultOf(input) && value !== valueGiven(input);
}

function isToggle(input: HTMLInputElement): boolean {
  const type = inputTypeOf(input);
  return type === "checkbox" || type === "radio";
}

/** The browser corrects the page's value. For example, a slider without a value starts in its middle. */
function valueGiven(input: HTMLInputElement): string {
  const fresh = createHtml("input");
  for (const name of ["type", "min", "max", "step", "value"])
    if (has(input, name)) fresh.setAttribute(name, attr(input, name) ?? "");
  return inputValueOf(fresh);
}

/** A list of one line without a default shows its first enabled option. */
function choiceDiffers(select: HTMLSelectElement): boolean {
  const options = [...optionsOf(select)];
  const given = options.filter(isSelectedByDefault);
  if (has(select, "multiple")) return options.some((each) => isSelected(each) !== given.includes(each));
  const isOneLine = Number(attr(select, "size") ?? 1) <= 1;
  const first = isOneLine ? options.find((each) => !has(each, "disabled")) : undefined;
  return options.find(isSelected) !== (given.at(-1) ?? first);
}

function textIn(field: Element): string {
  switch (tagOf(field)) {
    case "input":
      return isToggle(field as HTMLInputElement) ? "" : inputValueOf(field as HTMLInputElement);
    case "textarea":
      return areaValueOf(field as HTMLTextAreaElement);
    case "select":
      return "";
    default:
      return textContentOf(field) ?? "";
  }
}
