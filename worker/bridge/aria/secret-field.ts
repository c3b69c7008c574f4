// Decides if the text that an element takes is a secret of a person.

import { attr, tagOf, textContentOf } from "../dom/dom.ts";
import { labelsOf } from "./native-name.ts";
import type { PassCache } from "./pass-cache.ts";
import { inputTypeOf } from "./value.ts";

/** Pages say it by the field's type, by `autocomplete`, or only by their words. */
export function takesSecret(el: Element, survey: PassCache): boolean {
  return survey.wasSecret(el) || SECRETS.test(attr(el, "autocomplete") ?? "") || takesCode(el, survey);
}

function takesCode(el: Element, survey: PassCache): boolean {
  if (tagOf(el) !== "input" || WITHOUT_TEXT.has(inputTypeOf(el as HTMLInputElement))) return false;
  const labels = labelsOf(el, survey).map((label) => (textContentOf(label) ?? "").slice(0, LABEL_LENGTH_MAX));
  const words = [...WORDED.map((name) => attr(el, name) ?? ""), ...labels];
  if (CODES.test(words.join(" "))) return true;
  return takesDigits(el) && (attr(el, "maxlength") === "1" || words.some((each) => CODE.test(each)));
}

function takesDigits(el: Element): boolean {
  return attr(el, "inputmode") === "numeric" || /^\W*(?:\\d|\[0-9\])/.test(attr(el, "pattern") ?? "");
}

const WITHOUT_TEXT = new Set(["checkbox", "radio", "button", "submit", "reset", "image", "hidden", "file"]);
const WORDED = ["name", "id", "autocomplete", "aria-label", "placeholder"];
const LABEL_LENGTH_MAX = 100;

/** Words for codes, beside a field. */
const CODES =
  /otp\b|\botp|passw|passcode|passphrase|one.?time|\b[2m]fa|(?:security|verification|auth\w*|confirmation|login|sms|access).?code|\bpin\b|\bcv[cv]2?\b|\bsecret/i;

/** Alone, the word is also that of vouchers and countries, so the field must take digits. */
const CODE = /^\W*(?:your |the |enter )*code\W*$/i;

/** Pages name fields by these words that hold a secret. */
const SECRETS = /\b(?:current-password|new-password|one-time-code|cc-number|cc-csc|cc-exp)\b/i;
