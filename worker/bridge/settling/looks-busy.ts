// Decides if a page says that it is still being filled. The signs are ARIA (aria-busy, a progress bar without a value)
// and the class names of placeholders.
import {
  attr,
  bodyOf,
  checkVisibility,
  has,
  matches,
  queryAll,
  queryFirst,
  textContentOf,
} from "../dom/dom.ts";
import { isOf, ofRoles, queryRoles } from "../dom/role-selector.ts";

const BUSY = '[aria-busy="true" i], progress:not([value]), [class*="skeleton" i], [class*="spinner" i]';
const PROGRESS = ofRoles("progressbar");
/** A number field with step buttons is called a spinner, too. */
const FIELDS = "input, button, select, textarea, a, [tabindex], [role=spinbutton i]";
const LOOKED_AT_MAX = 20;
/** An application that has not mounted yet shows next to nothing. */
const TEXT_LENGTH_MAX = 40;

export function looksBusy(): boolean {
  const body = bodyOf(document);
  if (body === null) return false;
  const endless = [...queryRoles(body, PROGRESS)].filter(isEndless);
  const signs = [...queryAll(body, BUSY), ...endless].slice(0, LOOKED_AT_MAX);
  if (signs.some((sign) => checkVisibility(sign) && !isOfField(sign))) return true;
  const text = (textContentOf(body) ?? "").trim();
  return text.length <= TEXT_LENGTH_MAX && /^(?:loading|please wait)\b/i.test(text);
}

function isEndless(progress: Element): boolean {
  return !has(progress, "aria-valuenow") && attr(progress, "aria-hidden")?.toLowerCase() !== "true";
}

/** Reports if the sign belongs to a field, because it is or holds one. */
function isOfField(sign: Element): boolean {
  if (matches(sign, "[aria-busy], progress") || isOf(sign, PROGRESS)) return false;
  return matches(sign, FIELDS) || queryFirst(sign, FIELDS) !== null;
}
