// Gives one control its value, whatever kind it is: ticks it, moves it, chooses in it or types into it.
import { type ElementData, fail, isTroupeError } from "../../../proto/errors/catalogue.ts";
import { TICKED } from "../../../proto/errors/steps/form.ts";
import type { FormField } from "../../../proto/gen/troupe.ts";
import { named } from "../../../proto/text/named.ts";
import { clickOn } from "../../actions/aimed-click.ts";
import type { Done } from "../../actions/perform.ts";
import { slide } from "../../actions/slide.ts";
import { checkRef } from "../../actions/step-refs.ts";
import { whileThere } from "../../actions/while-there.ts";
import { frameTimeMs } from "../../core/frame-time.ts";
import type { Located, Page } from "../../tab/page.ts";
import type { Acting } from "./acting.ts";
import { selecting } from "./select-option.ts";
import { typing } from "./type.ts";

/**
 * `disagrees`: once the page has settled, says how the control is if the page has not left it as it was filled. `by`: the
 * tool that does the same; "" if nothing was done.
 */
interface Filled {
  element: ElementData | null;
  by?: string;
  chosen?: readonly string[];
  disagrees(page: Page): Promise<string | undefined>;
}

const CLICK = { button: "left", count: 1, modifiers: 0 } as const;
const agrees = async () => undefined;

export async function fillControl({ ref, value }: FormField, acting: Acting): Promise<Done<Filled>> {
  const { page, send } = acting;
  const { at, element } = await checkRef(page, ref);
  if (TICKED.has(element.role))
    return await tick({ at, element }, onlyOne(value, element, "true or false"), acting);
  if (element.role === "slider" && element.tag !== "input") {
    const wanted = numberIn(onlyOne(value, element, "a number"), element);
    await slide({ page, at, element, send }, wanted);
    return {
      said: `Set ${element.ref} ${named(element)} to ${wanted}`,
      fields: { element, disagrees: agrees },
    };
  }
  const [text = "", ...others] = value;
  try {
    const by = others.length > 0 ? "browser_select_option" : "browser_type";
    const { said, fields } =
      others.length > 0
        ? await selecting.act({ ref, values: value }, acting)
        : await typing.act({ ref, text }, acting);
    return { said, fields: { element, disagrees: agrees, by, chosen: fields.chosen ?? [] } };
  } catch (error) {
    throw ofValue(error);
  }
}

/** Clicks a box unless it is as wanted already. */
async function tick(
  { at, element }: { at: Located; element: ElementData },
  value: string,
  { page, send }: Acting,
): Promise<Done<Filled>> {
  const wanted = tickMeant(value, element);
  const state = (ticked: boolean) => (ticked ? "checked" : "not checked");
  const said = (did: string) => `${did} ${element.ref} ${named(element)}`;
  if ((await page.ask(at.frame, "isTicked", at.ref)) === wanted)
    return {
      said: `${said("Left")} as it is, ${state(wanted)}`,
      fields: { element, disagrees: agrees, by: "" },
    };
  if (!wanted && element.role.endsWith("radio"))
    throw wrongValue(element, "true: choosing another one of its group unchecks it");
  await clickOn(page, at.ref, CLICK, send);
  const disagrees = async () => {
    const asking = () => page.askInPassing(at.frame, "isTicked", at.ref);
    const now = page.tab.halt ? undefined : await whileThere(page, asking, frameTimeMs(page.call));
    return now === undefined || now === wanted ? undefined : `still ${state(now)}`;
  };
  return {
    said: said(wanted ? "Checked" : "Unchecked"),
    fields: { element, disagrees, by: "browser_click" },
  };
}

const YES: ReadonlySet<string> = new Set(["true", "yes", "on", "1", "checked"]);
const NO: ReadonlySet<string> = new Set(["false", "no", "off", "0", "unchecked", ""]);

function tickMeant(value: string, element: ElementData): boolean {
  const word = value.trim().toLowerCase();
  if (!YES.has(word) && !NO.has(word)) throw wrongValue(element, "true or false");
  return YES.has(word);
}

function numberIn(value: string, element: ElementData): number {
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) throw wrongValue(element, "a number");
  return number;
}

function onlyOne([value = "", ...others]: readonly string[], element: ElementData, expected: string): string {
  if (others.length > 0) throw wrongValue(element, expected);
  return value;
}

function wrongValue(element: ElementData, expected: string) {
  return fail("INVALID_ARGUMENT", {
    argument: "value",
    problem: `${named(element)} takes ${expected}`,
    hint: `with value as ${expected}`,
  });
}

/** The other tools have other names for the value. */
function ofValue(error: unknown): unknown {
  if (!isTroupeError(error) || error.type !== "INVALID_ARGUMENT") return error;
  const { hint, ...data } = error.data as { argument: string; problem: string; hint?: string };
  const renamed = hint?.replace(/^with \w+ as/, "with value as");
  return fail("INVALID_ARGUMENT", { ...data, argument: "value", ...(renamed && { hint: renamed }) }, error);
}
