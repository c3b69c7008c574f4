// Finds the file field that an element is or labels.

import type { DeliveredIn, FileTarget } from "../api/bridge-api.ts";
import { labelledControl } from "../aria/native-name.ts";
import { roleOf } from "../aria/role.ts";
import { inputTypeOf } from "../aria/value.ts";
import { has, tagOf } from "../dom/dom.ts";
import { isDisabled } from "../dom/focusable.ts";
import { targetOrSuccessor } from "../identity/candidates.ts";
import { changedSince } from "../identity/staleness.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { describe } from "../tree/describe.ts";

/** Elements of these roles are pressed. A press comes first there, because a page may take drags everywhere. */
const PRESSED: ReadonlySet<string> = new Set(["button", "link", "menuitem", "tab", "option"]);

/** Says how files get to the element that a ref names. */
export function fileTarget(context: PageContext, ref: string, delivered?: DeliveredIn): FileTarget {
  const target = targetOrSuccessor(context, ref);
  if (target.state !== "present") return target;
  const changed = changedSince(context, target, delivered);
  if (changed !== undefined) return changed;
  const element = describe(target.element, context);
  const field = fieldOf(target.element);
  if (field === undefined) return { state: "other", element, isPressed: PRESSED.has(roleOf(target.element)) };
  if (isDisabled(field)) return { state: "disabled", element };
  return { state: "field", element, several: has(field, "multiple"), folders: has(field, "webkitdirectory") };
}

/** Returns the field itself, for Chrome. */
export function fileField(context: PageContext, ref: string): object | undefined {
  const target = targetOrSuccessor(context, ref);
  return target.state === "present" ? fieldOf(target.element) : undefined;
}

function fieldOf(el: Element): HTMLInputElement | undefined {
  const field = tagOf(el) === "input" ? el : labelledControl(el);
  const isFileField =
    field !== null && tagOf(field) === "input" && inputTypeOf(field as HTMLInputElement) === "file";
  return isFileField ? (field as HTMLInputElement) : undefined;
}
