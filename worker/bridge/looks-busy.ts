// Whether a page says that it is not filled yet: by ARIA (aria-busy, a progress bar without a value), or with the class names
// that placeholders of content go by.
import { bodyOf, checkVisibility, queryAll, textContentOf } from "./dom.ts";

const BUSY =
  '[aria-busy="true" i], [role="progressbar" i]:not([aria-valuenow]), progress:not([value]), [class*="skeleton" i], [class*="spinner" i]';
const LOOKED_AT_MAX = 20;
/** An application that has not mounted yet shows next to nothing. */
const TEXT_LENGTH_MAX = 40;

export function looksBusy(): boolean {
  const body = bodyOf(document);
  if (body === null) return false;
  const signs = [...queryAll(body, BUSY)].slice(0, LOOKED_AT_MAX);
  if (signs.some((sign) => checkVisibility(sign))) return true;
  const text = (textContentOf(body) ?? "").trim();
  return text.length <= TEXT_LENGTH_MAX && /^(?:loading|please wait)\b/i.test(text);
}
