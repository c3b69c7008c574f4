// Whether a field still holds text: it may have been sent and emptied, or be gone.

import { tagOf, textContentOf } from "./dom.ts";
import { fieldOf } from "./editable.ts";
import { type PageContext, targetOf } from "./page-context.ts";
import { areaValueOf, inputValueOf } from "./value.ts";

/** For each ref. */
export function holdText(context: PageContext, refs: readonly string[]): boolean[] {
  return refs.map((ref) => {
    const target = targetOf(context, ref);
    if (target.state !== "present") return false;
    return textIn(fieldOf(target.element) ?? target.element).trim() !== "";
  });
}

function textIn(field: Element): string {
  switch (tagOf(field)) {
    case "input":
      return inputValueOf(field as HTMLInputElement);
    case "textarea":
      return areaValueOf(field as HTMLTextAreaElement);
    default:
      return textContentOf(field) ?? "";
  }
}
