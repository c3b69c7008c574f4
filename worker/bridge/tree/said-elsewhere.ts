// Text that names something else stands on the line of that, and nowhere else.

import { hostName, onlyFieldOf } from "../aria/host-name.ts";
import { nameOf } from "../aria/name.ts";
import { labelledControl } from "../aria/native-name.ts";
import { idsOf, type PassCache } from "../aria/pass-cache.ts";
import { roleOf } from "../aria/role.ts";
import { attr, closest, has, idOf, parentOf, tagOf } from "../dom/dom.ts";
import { collapsed } from "../dom/quote.ts";
import type { Item } from "./item.ts";

/** Whether the text of a label, legend or figcaption is the name of what it belongs to; `around`: the item that it stands in. */
export function isSaidElsewhere(el: Element, tag: string, around: Item, survey: PassCache): boolean {
  if (tag === "label") {
    const control = labelledControl(el);
    return control !== null && survey.isShown(control) && takesLabel(control, el, survey);
  }
  if (tag !== "legend" && tag !== "figcaption") return false;
  return around.el === parentOf(el) && around.name !== "" && !isNamedOtherwise(around.el);
}

/** Whether the line of a control says what its label does: it has one, and no other name. */
function takesLabel(control: Element, label: Element, survey: PassCache): boolean {
  if (isNamedOtherwise(control, label) || closest(control, "[aria-hidden=true i], [inert]") !== null)
    return false;
  const tag = tagOf(control);
  return !tag.includes("-") || roleOf(control, tag) !== "generic" || namesItsField(control, survey);
}

/** Whether what a custom element is called stands on the line of its only field. */
function namesItsField(host: Element, survey: PassCache): boolean {
  const field = onlyFieldOf(host);
  if (field === undefined || !survey.isShown(field)) return false;
  const tag = tagOf(field);
  const role = roleOf(field, tag);
  const name = collapsed(hostName(field, role, survey)).trim();
  return name !== "" && nameOf(field, tag, role, survey).text.trim() === name;
}

/** `label`: one that it may name itself. */
function isNamedOtherwise(el: Element, label?: Element): boolean {
  const ids = idsOf(attr(el, "aria-labelledby"));
  const isThat = label !== undefined && ids.length === 1 && ids[0] === idOf(label);
  return isThat ? false : has(el, "aria-label") || has(el, "aria-labelledby");
}
