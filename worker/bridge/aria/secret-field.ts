// Decides if the text that an element takes is a secret of a person.

import { attr, tagOf } from "../dom/dom.ts";
import type { PassCache } from "./pass-cache.ts";

export function takesSecret(el: Element, survey: PassCache): boolean {
  return survey.wasSecret(el) || SECRETS.test(attr(el, "autocomplete") ?? "");
}

/** Many pages do not say that a field takes a code. An agent has no such field's text to itself, and a person does. */
export function takesPersonsSecret(el: Element): boolean {
  if (tagOf(el) !== "input") return false;
  const words = ["name", "id", "autocomplete", "aria-label", "placeholder"].map(
    (name) => attr(el, name) ?? "",
  );
  return CODES.test(words.join(" "));
}

/** Words for codes in the attributes of fields. */
const CODES =
  /otp\b|\botp|passw|passcode|passphrase|one.?time|\b[2m]fa|(?:security|verification|auth\w*|confirmation|login|sms|access).?code|\bpin\b|\bcv[cv]2?\b|\bsecret/i;

/** Pages name fields by these words that hold a secret. */
const SECRETS = /\b(?:current-password|new-password|one-time-code|cc-number|cc-csc|cc-exp)\b/i;
