// Makes items of a select's options. A client chooses them through the select's own ref.

import { NAME_MAX } from "../aria/name.ts";
import { isSelected, optionName, optionsOf } from "../aria/value.ts";
import { attr, matches, styleOf, tagOf } from "../dom/dom.ts";
import { isDisabled } from "../dom/focusable.ts";
import { shortened } from "../dom/quote.ts";
import type { RefStore } from "../dom/ref-store.ts";
import { adopt, type Item, newItem } from "./item.ts";

/** Adds the options below the select's item. The options of a list box get refs, because they can be clicked. */
export function addOptions(select: Item, refs: RefStore): void {
  const clickable = select.role === "listbox";
  let group: { el: Element; item: Item } | undefined;
  for (const option of optionsOf(select.el as HTMLSelectElement)) {
    if (isLeftOut(option)) continue;
    const parent = option.parentElement;
    const inGroup = parent !== null && tagOf(parent) === "optgroup" ? parent : undefined;
    if (group !== undefined && group.el !== inGroup) {
      adopt(select, group.item);
      group = undefined;
    }
    if (inGroup !== undefined) group ??= { el: inGroup, item: groupItem(inGroup) };
    adopt(group?.item ?? select, optionItem(option, clickable, refs));
  }
  if (group !== undefined) adopt(select, group.item);
}

// Options have no boxes while the list is closed. So their style is asked only if something hints at it.
function isLeftOut(option: Element): boolean {
  return matches(option, "[hidden], [style*=display]") && styleOf(option).display === "none";
}

function groupItem(el: Element): Item {
  const item = newItem(el, "group", shortened(attr(el, "label") ?? "", NAME_MAX));
  if (isDisabled(el)) item.states = " [disabled]";
  return item;
}

function optionItem(option: HTMLOptionElement, clickable: boolean, refs: RefStore): Item {
  const item = newItem(option, "option", shortened(optionName(option), NAME_MAX));
  item.states = (isSelected(option) ? " [selected]" : "") + (isDisabled(option) ? " [disabled]" : "");
  if (clickable) item.ref = refs.mint(option, "option", item.name);
  return item;
}
