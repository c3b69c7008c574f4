// Finds the reason why a form's button is disabled: empty fields and unticked boxes.

import type { Described } from "../api/bridge-api.ts";
import { isOff } from "../aria/state.ts";
import { areaValueOf, chosenText, inputTypeOf, inputValueOf, isChecked } from "../aria/value.ts";
import { attr, byId, has, matches, queryAll, rootOf, tagOf } from "../dom/dom.ts";
import { elementsIn } from "../dom/rendered-elements.ts";
import { aroundOf, isOf, ofRoles } from "../dom/role-selector.ts";
import { isVisible } from "../dom/visibility.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { describe } from "../tree/describe.ts";

const FORMS = ofRoles("form dialog alertdialog", "form, dialog, fieldset");
const FIELDS = ofRoles("checkbox switch textbox combobox", "input, select, textarea");
const FIELDS_MAX = 200;
const NAMED_MAX = 5;
const PRESSED = new Set(["button", "submit", "reset", "image", "hidden", "file", "range", "color"]);

/**
 * Returns the required fields that are not set. If the page requires none, it returns all fields that are not set, as a
 * guess. An element outside a form gives nothing.
 */
export function missingFieldsAround(
  el: Element,
  context: PageContext,
): { lacking?: Described[]; guessed?: boolean } {
  const form = formOf(el);
  if (form === null) return {};
  const survey = context.survey();
  const lacking: Element[] = [];
  let looked = 0;
  for (const field of elementsIn(form)) {
    if (!isOf(field, FIELDS)) continue;
    if (++looked > FIELDS_MAX) break;
    const tag = tagOf(field);
    if (field !== el && isVisible(field, tag) && !isOff(field, tag, "", survey) && isUnset(field, tag))
      lacking.push(field);
  }
  const required = lacking.filter(
    (field) => has(field, "required") || attr(field, "aria-required") === "true",
  );
  const named = (required.length > 0 ? required : lacking).slice(0, NAMED_MAX);
  if (named.length === 0) return {};
  const said = named.map((field) => describe(field, context, survey));
  return { lacking: said, ...(required.length === 0 && { guessed: true }) };
}

function formOf(el: Element): Element | null {
  const named = attr(el, "form");
  const root = rootOf(el);
  return (named && root ? byId(root, named) : null) ?? aroundOf(el, FORMS);
}

function isUnset(field: Element, tag: string): boolean {
  switch (tag) {
    case "input": {
      const input = field as HTMLInputElement;
      const type = inputTypeOf(input);
      if (type === "radio") return isLoneRadio(input);
      if (type === "checkbox") return !isChecked(input);
      return !PRESSED.has(type) && inputValueOf(input) === "";
    }
    case "textarea":
      return areaValueOf(field as HTMLTextAreaElement) === "";
    case "select":
      return matches(field, ":invalid") || chosenText(field).join("").trim() === "";
    default:
      return attr(field, "aria-checked") === "false" || matches(field, ":invalid");
  }
}

/** The first radio of a group is named if none of the group is chosen. */
function isLoneRadio(input: HTMLInputElement): boolean {
  const name = attr(input, "name");
  const root = rootOf(input);
  if (!name || !root) return !isChecked(input);
  const group = [...queryAll(root, `input[type=radio][name="${CSS.escape(name)}"]`)] as HTMLInputElement[];
  return group[0] === input && !group.some((each) => isChecked(each));
}
