// Finds out if a field still holds text. It may have been sent and emptied, or removed.

import { fieldOf } from "../aria/editable.ts";
import { areaValueOf, inputValueOf } from "../aria/value.ts";
import { tagOf, textContentOf } from "../dom/dom.ts";
import { type PageContext, targetOf } from "../incremental/page-context.ts";

/** Answers for each ref. */
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
