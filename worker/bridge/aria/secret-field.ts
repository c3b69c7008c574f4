// Decides if the text that an element takes is a secret of a person.

import { attr } from "../dom/dom.ts";
import type { PassCache } from "./pass-cache.ts";

export function takesSecret(el: Element, survey: PassCache): boolean {
  return survey.wasSecret(el) || SECRETS.test(attr(el, "autocomplete") ?? "");
}

/** Pages name fields by these words that hold a secret. */
const SECRETS = /\b(?:current-password|new-password|one-time-code|cc-number|cc-csc|cc-exp)\b/i;
