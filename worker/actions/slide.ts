// Moves a slider that the page draws itself to a value, by the arrow keys that such sliders listen to.
import { fail } from "../../proto/errors/catalogue.ts";
import { named } from "../../proto/text/named.ts";
import type { SliderAt } from "../bridge/api/bridge-api.ts";
import type { Chooser } from "./choose-option.ts";
import { orDetached } from "./element.ts";
import { parseKeys, pressKeys } from "./keyboard.ts";

/** A slider that is further away than so many steps would take too long. */
const PRESSES_MAX = 500;

export async function slide(slider: Chooser, wanted: number): Promise<void> {
  const start = await ask(slider);
  if (wanted < start.min || wanted > start.max) throw outOfRange(slider, start);
  if (start.now === wanted) return;
  // The first press shows how far one goes.
  const first = await pressed(slider, wanted, start, 1);
  const step = Math.abs(first.now - start.now);
  if (step === 0) throw fail("ELEMENT_NOT_EDITABLE", { ...slider.element, readonly: true });
  const left = Math.round(Math.abs(wanted - first.now) / step);
  const end = left === 0 ? first : await pressed(slider, wanted, first, Math.min(left, PRESSES_MAX));
  if (Math.abs(end.now - wanted) > step * ROUNDING) throw outOfStep(slider, end, step);
}

/** Pages round their values. */
const ROUNDING = 1e-6;

/** In every direction of writing, up means more. */
async function pressed(slider: Chooser, wanted: number, { now }: SliderAt, times: number): Promise<SliderAt> {
  const { page, send } = slider;
  const key = parseKeys(wanted > now ? "ArrowUp" : "ArrowDown");
  await send(
    async () => {
      for (let press = 0; press < times; press++) await pressKeys(page, key);
    },
    { heard: true },
  );
  return await ask(slider);
}

/** Reads the slider, and gives it the focus. */
async function ask({ page, at, element }: Chooser): Promise<SliderAt> {
  const slider = await orDetached(page, at, page.ask(at.frame, "focusSlider", at.ref));
  if (!slider) throw fail("ELEMENT_NOT_EDITABLE", element);
  return slider;
}

function outOfRange({ element }: Chooser, { min, max }: SliderAt) {
  return fail("INVALID_ARGUMENT", {
    argument: "value",
    problem: `${named(element)} takes a number from ${min} to ${max}`,
    hint: `with value as a number from ${min} to ${max}`,
  });
}

function outOfStep({ element }: Chooser, { now }: SliderAt, step: number) {
  return fail("INVALID_ARGUMENT", {
    argument: "value",
    problem: `${named(element)} moves by steps of ${step}, and stands at ${now} now`,
    hint: `with value as ${now}, or steps of ${step} from it`,
  });
}
