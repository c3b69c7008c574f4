// Reads a slider that the page draws itself, by what it says to assistive technology.
import type { SliderAt } from "../api/bridge-api.ts";
import { roleOf } from "../aria/role.ts";
import { attr, tagOf } from "../dom/dom.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";
import { focusOn } from "./edit.ts";

/** ARIA's own values for a slider that gives none (WAI-ARIA 1.2, slider). */
const MIN = 0;
const MAX = 100;

export function focusSlider(context: PageContext, ref: string): SliderAt | undefined {
  const target = targetOf(context, ref);
  if (target.state !== "present") return undefined;
  const { element } = target;
  if (roleOf(element, tagOf(element)) !== "slider") return undefined;
  const now = numberOf(element, "aria-valuenow");
  if (now === undefined) return undefined;
  focusOn(element);
  return {
    now,
    min: numberOf(element, "aria-valuemin") ?? MIN,
    max: numberOf(element, "aria-valuemax") ?? MAX,
  };
}

function numberOf(el: Element, name: string): number | undefined {
  const text = attr(el, name)?.trim();
  const number = text ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
