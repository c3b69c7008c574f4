// Chooses options of a <select> as a person would: by their text, or else by value.

import type { Choice, DeliveredIn } from "../api/bridge-api.ts";
import { isSelected, optionName, optionsOf, optionText } from "../aria/value.ts";
import { attr, getter, has, isElement, parentOf, setter, tagOf } from "../dom/dom.ts";
import { isDisabled } from "../dom/focusable.ts";
import { collapsed } from "../dom/quote.ts";
import { staleRef } from "../identity/staleness.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { fieldFor, focusOn, sayChanged } from "./edit.ts";

const OPTIONS_MAX = 100;
const setSelected = setter(HTMLOptionElement.prototype, "selected");
const optionValueOf = getter(HTMLOptionElement.prototype, "value");

export function choose(
  context: PageContext,
  ref: string | undefined,
  values: readonly string[],
  delivered?: DeliveredIn,
): Choice {
  if (ref !== undefined && targetOf(context, ref).state !== "present") return { state: "unknown" };
  const changed = staleRef(context, ref, delivered);
  if (changed !== undefined) return changed;
  const select = fieldFor(context, ref);
  if (select === undefined || tagOf(select) !== "select") return { state: "not-select" };
  const all = [...optionsOf(select as HTMLSelectElement)];
  const options = all.filter((option) => !isClosed(option) && !has(option, "hidden"));
  const texts = options.slice(0, OPTIONS_MAX).map(optionText);
  if (values.length > 1 && !has(select, "multiple")) return { state: "not-multiple", options: texts };
  const wanted = new Set<HTMLOptionElement>();
  for (const value of values) {
    const option = findOption(options, value);
    if (option === undefined) {
      const disabled = findOption(all.filter(isClosed), value) !== undefined;
      return { state: "no-option", missing: value, options: texts, ...(disabled && { disabled }) };
    }
    wanted.add(option);
  }
  apply(select, options, wanted);
  return { state: "ready", chosen: options.filter(isSelected).map(optionText) };
}

function isClosed(option: HTMLOptionElement): boolean {
  return isDisabled(option) || isInDisabledGroup(option);
}

function isInDisabledGroup(option: Element): boolean {
  const parent = parentOf(option);
  return isElement(parent) && tagOf(parent) === "optgroup" && has(parent, "disabled");
}

// The exact text comes first, then the value, then a match without regard to case.
function findOption(options: readonly HTMLOptionElement[], value: string): HTMLOptionElement | undefined {
  const text = collapsed(value);
  const lower = text.toLowerCase();
  return (
    options.find((option) => optionText(option) === text) ??
    options.find((option) => optionName(option) === text) ??
    options.find((option) => optionValueOf(option) === value) ??
    options.find((option) => optionText(option).toLowerCase() === lower) ??
    options.find((option) => attr(option, "value")?.toLowerCase() === lower)
  );
}

function apply(
  select: Element,
  options: readonly HTMLOptionElement[],
  wanted: ReadonlySet<HTMLOptionElement>,
): void {
  focusOn(select);
  let changed = false;
  for (const option of options) {
    const want = wanted.has(option);
    // In a single select, a new choice removes the old one.
    if (isSelected(option) === want || (!want && !has(select, "multiple"))) continue;
    setSelected(option, want);
    changed = true;
  }
  if (changed) sayChanged(select);
}
