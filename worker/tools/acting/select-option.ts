// browser_select_option: chooses options by label or value, in a select or in a list that the page draws itself.

import { type ElementData, fail } from "../../../proto/errors/catalogue.ts";
import { named } from "../../../proto/text/named.ts";
import { quote } from "../../../proto/text/quote.ts";
import { chooseFromList } from "../../actions/choose-option.ts";
import { editElement, orDetached } from "../../actions/element.ts";
import { OPTIONS_SHOWN_MAX, optionNotFound } from "../../actions/option-not-found.ts";
import { actionabilityError, data } from "../../snapshot/actionability-error.ts";
import type { Located, Page } from "../../tab/page.ts";
import { type Action, acting } from "./acting.ts";

export const selecting: Action<"SelectOption"> = {
  async act({ ref, values }, { page, send }) {
    const { at, edit } = await editElement(page, ref, { choosing: true });
    const element = data(edit.element, at);
    const chosen =
      edit.kind === "options"
        ? await chooseFromList({ page, at, element, send }, values)
        : await choose(page, at, values, element);
    return { said: selected(chosen, element), fields: { element, chosen } };
  },
};

export const selectOption = acting(selecting);

/** Says which options were chosen in which element. */
export function selected(chosen: readonly string[], element: ElementData): string {
  return `Selected ${chosen.map((each) => quote(each)).join(", ")} in ${element.ref} ${named(element)}`;
}

/** Chooses the options and returns their labels. Throws OPTION_NOT_FOUND with the labels that exist. */
export async function choose(
  page: Page,
  at: Located,
  values: readonly string[],
  element: ElementData,
): Promise<string[]> {
  page.tab.touched.touched(at.frame, at.ref);
  const choice = await orDetached(
    page,
    at,
    page.ask(at.frame, "choose", at.ref || undefined, values, at.deliveredIn),
  );
  switch (choice.state) {
    case "ready":
      return choice.chosen;
    case "no-option":
      throw optionNotFound(element, choice.missing, choice.options, choice.disabled);
    case "not-multiple":
      throw fail("INVALID_ARGUMENT", {
        argument: "values",
        problem: `${named(element)} takes one option, not ${values.length}`,
        allowed: choice.options.slice(0, OPTIONS_SHOWN_MAX),
      });
    case "not-select":
      throw fail("ELEMENT_NOT_EDITABLE", element);
    case "changed":
      throw actionabilityError(page, at, choice);
    case "unknown":
      throw fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
  }
}
