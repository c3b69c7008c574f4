// Finds elements by their roles. A CSS selector finds tags and attributes. It cannot see an element's internals, so
// they are compared separately.

import {
  closest,
  composedParent,
  innerOf,
  innerTags,
  isElement,
  matches,
  parentOf,
  queryAll,
  queryFirst,
} from "./dom.ts";

export interface RoleSelector {
  /** This selector matches all elements that have a role by tag or attribute. */
  readonly css: string;
  /** These roles are compared with the role in an element's internals. */
  readonly roles: ReadonlySet<string>;
}

/** Selects elements of these roles, and those that `others` matches. */
export function ofRoles(roles: string, others = ""): RoleSelector {
  const names = roles.split(" ");
  const byAttribute = names.map((role) => `[role~=${role} i]`).join(", ");
  return { css: others === "" ? byAttribute : `${others}, ${byAttribute}`, roles: new Set(names) };
}

/** Selects elements that a user can operate, by their tags, attributes and internals. */
export const CONTROLS = ofRoles(
  "button link checkbox radio switch tab option menuitem textbox combobox slider",
  "a[href], area[href], button, input:not([type=hidden i]), select, textarea, summary, iframe, [onclick], " +
    "[tabindex], [contenteditable]:not([contenteditable=false i])",
);

export function isOf(el: Element, { css, roles }: RoleSelector): boolean {
  return matches(el, css) || roles.has(innerOf(el)?.get("role") ?? "");
}

/**
 * Returns the matches inside a document, shadow root or element, in document order. Shadow roots inside are left out.
 */
export function queryRoles(root: Node, selector: RoleSelector): Iterable<Element> {
  const tags = innerTags();
  return tags === ""
    ? queryAll(root, selector.css)
    : among(queryAll(root, `${selector.css}, ${tags}`), selector);
}

function* among(elements: Iterable<Element>, selector: RoleSelector): Generator<Element> {
  for (const el of elements) if (isOf(el, selector)) yield el;
}

export function hasRoles(el: Element, selector: RoleSelector): boolean {
  if (queryFirst(el, selector.css) !== null) return true;
  const tags = innerTags();
  return tags !== "" && [...queryAll(el, tags)].some((each) => isOf(each, selector));
}

/** Returns the element itself or its nearest matching ancestor in the same document or shadow root. */
export function closestOf(el: Element, selector: RoleSelector): Element | null {
  if (innerTags() === "") return closest(el, selector.css);
  for (let up: Node | null = el; isElement(up); up = parentOf(up)) if (isOf(up, selector)) return up;
  return null;
}

/** Returns the nearest match around the element, in the tree as it is rendered. */
export function aroundOf(el: Element, selector: RoleSelector): Element | null {
  let up = composedParent(el);
  while (up !== null && !isOf(up, selector)) up = composedParent(up);
  return up;
}
