// Finds text that names another element. Such text appears on that element's line and nowhere else.

import { hostName, onlyFieldOf } from "../aria/host-name.ts";
import { nameOf } from "../aria/name.ts";
import { labelledControl } from "../aria/native-name.ts";
import { idsOf, type PassCache } from "../aria/pass-cache.ts";
import { roleOf } from "../aria/role.ts";
import { attr, closest, has, idOf, parentOf, tagOf } from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import type { Item } from "./item.ts";

/** Reports if the text of a label, legend or figcaption names another element. `around` is the item around it. */
export function isSaidElsewhere(el: Element, tag: string, around: Item, survey: PassCache): boolean {
  if (tag === "label") {
    const control = labelledControl(el);
    return control !== null && survey.isShown(control) && takesLabel(control, el, survey);
  }
  if (tag !== "legend" && tag !== "figcaption") return false;
  return around.el === parentOf(el) && around.name !== "" && !isNamedOtherwise(around.el);
}

/** Reports if a control's line says what its label says: the control has a line, and no other name. */
function takesLabel(control: Element, label: Element, survey: PassCache): boolean {
  if (isNamedOtherwise(control, label) || closest(control, "[aria-hidden=true i], [inert]") !== null)
    return false;
  const tag = tagOf(control);
  return !tag.includes("-") || roleOf(control, tag) !== "generic" || namesItsField(control, survey);
}

/** Reports if the name of a custom element is on the line of its only field. */
function namesItsField(host: Element, survey: PassCache): boolean {
  const field = onlyFieldOf(host);
  if (field === undefined || !survey.isShown(field)) return false;
  const tag = tagOf(field);
  const role = roleOf(field, tag);
  const name = collapsed(hostName(field, role, survey)).trim();
  return name !== "" && nameOf(field, tag, role, survey).text.trim() === name;
}

/** `label` is a label that may be the element's own name. */
function isNamedOtherwise(el: Element, label?: Element): boolean {
  const ids = idsOf(attr(el, "aria-labelledby"));
  const isThat = label !== undefined && ids.length === 1 && ids[0] === idOf(label);
  return isThat ? false : has(el, "aria-label") || has(el, "aria-labelledby");
}
