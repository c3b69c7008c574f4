// Types a secret into the field that has the focus. It goes to no other element and to no later document.

import type { SecretTyped } from "../api/bridge-api.ts";
import { execCommand, focusedElement, holds } from "../dom/dom.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { fieldFor } from "./edit.ts";

/** Replaces the selection by one trusted input. Without a ref, the focused element takes it. */
export function typeSecret(context: PageContext, ref: string | undefined, text: string): SecretTyped {
  const field = fieldFor(context, ref);
  const focused = focusedElement();
  if (field === undefined || focused === null) return { state: "unknown" };
  if (field !== focused && !holds(field, focused) && !holds(focused, field)) return { state: "focus-moved" };
  // Its value stays masked, also if the page makes it readable.
  context.secrets.add(focused);
  context.secrets.add(field);
  execCommand(document, "insertText", false, text);
  return { state: "ready" };
}
