// Names a field that is the only one of a custom element. Labels and attributes name the custom element, and the
// field's own references do not reach out of its shadow root.

import { attr, hostOf, isElement, parentOf, shadowRootOf, tagOf } from "../dom/dom.ts";
import { ofRoles, queryRoles } from "../dom/role-selector.ts";
import { nativeName } from "./native-name.ts";
import type { PassCache } from "./pass-cache.ts";
import { roleOf } from "./role.ts";
import { read, referencedText, traversal } from "./text-alternative.ts";

const FIELDS = ofRoles("combobox textbox", "input:not([type=hidden i]), textarea, select, [contenteditable]");
const NAMED_ROLES = new Set(
  "textbox searchbox combobox spinbutton slider checkbox radio switch listbox".split(" "),
);
const AROUND_MAX = 10;

/** Returns the name of the custom element around a field. It returns "" if that element has a role or another field. */
export function hostName(field: Element, role: string, survey: PassCache): string {
  if (!NAMED_ROLES.has(role)) return "";
  const host = customAround(field);
  if (host === undefined || roleOf(host) !== "generic" || onlyFieldOf(host) !== field) return "";
  const t = traversal(field, survey);
  const label = referencedText(host, t) || (attr(host, "aria-label") ?? "");
  return label.trim() || nativeName(host, tagOf(host), survey, (namer) => read(namer, t));
}

/** Returns the only field of a custom element, in its shadow root or else among its descendants. */
export function onlyFieldOf(host: Element): Element | undefined {
  const root = shadowRootOf(host);
  for (const each of root === null ? [host] : [root, host]) {
    const [field, ...others] = queryRoles(each, FIELDS);
    if (field !== undefined) return others.length === 0 ? field : undefined;
  }
  return undefined;
}

/** Returns the nearest custom element that is an ancestor or a shadow host of the field. */
function customAround(field: Element): Element | undefined {
  let up: Node | null = parentOf(field);
  for (let depth = 0; up !== null && depth < AROUND_MAX; depth++) {
    if (up instanceof ShadowRoot) up = hostOf(up);
    if (isElement(up) && tagOf(up).includes("-")) return up;
    up = parentOf(up);
  }
  return undefined;
}
