// Describes one element of `extractAnchors`.

import type { AnchorInfo } from "../api/bridge-api.ts";
import type { PassCache } from "../aria/pass-cache.ts";
import { plainTag } from "../dom/dom.ts";
import { refText } from "../dom/ref-text.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { identify } from "../tree/describe.ts";
import { attributesOf, directText, wholeText } from "./structure-facts.ts";

const DIRECT_MAX = 100;
const FULL_MAX = 200;
const TELLING = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "p", "span", "label", "button", "a"]);

/** Returns the element's position, the data for a locator, and its text if it is short enough to identify it. */
export function describeAnchor(
  el: Element,
  depth: number,
  index: number,
  context: PageContext,
  survey: PassCache,
): AnchorInfo {
  const tagName = plainTag(el);
  const info: AnchorInfo = { depth, index, tagName, attributes: attributesOf(el) };
  const number = context.refs.known(el);
  if (number !== undefined) {
    const { role, name } = identify(el, survey);
    info.ref = refText(number);
    info.role = role;
    if (name !== "") info.name = name;
  }
  const direct = directText(el, DIRECT_MAX);
  if (direct !== "") info.directText = direct;
  const full = TELLING.has(tagName) ? wholeText(el, FULL_MAX) : "";
  if (full !== "" && full !== direct) info.fullText = full;
  return info;
}
