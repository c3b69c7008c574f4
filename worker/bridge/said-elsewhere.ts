// Text that names something else stands on the line of that, and nowhere else.

import { closest, has, parentOf, tagOf } from "./dom.ts";
import type { Item } from "./item.ts";
import { labelledControl } from "./native-name.ts";
import { roleOf } from "./role.ts";
import type { Survey } from "./survey.ts";

/** Whether the text of a label, legend or figcaption is the name of what it belongs to; `around`: the item that it stands in. */
export function isSaidElsewhere(el: Element, tag: string, around: Item, survey: Survey): boolean {
  if (tag === "label") {
    const control = labelledControl(el);
    return control !== null && survey.isShown(control) && takesLabel(control);
  }
  if (tag !== "legend" && tag !== "figcaption") return false;
  return around.el === parentOf(el) && around.name !== "" && !isNamedOtherwise(around.el);
}

/** Whether the line of a control says what its label does: it has one, and no other name. */
function takesLabel(control: Element): boolean {
  if (isNamedOtherwise(control) || closest(control, "[aria-hidden=true i], [inert]") !== null) return false;
  const tag = tagOf(control);
  return !tag.includes("-") || roleOf(control, tag) !== "generic";
}

function isNamedOtherwise(el: Element): boolean {
  return has(el, "aria-label") || has(el, "aria-labelledby");
}
