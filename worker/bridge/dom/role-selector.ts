// Elements by their roles: by tag and attribute, as a selector of CSS finds them, and by their internals, which it cannot see.

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
  /** All that say it by tag or attribute. */
  readonly css: string;
  /** What others say through their internals. */
  readonly roles: ReadonlySet<string>;
}

/** Elements of these roles, and those that `others` selects besides. */
export function ofRoles(roles: string, others = ""): RoleSelector {
  const names = roles.split(" ");
  const byAttribute = names.map((role) => `[role~=${role} i]`).join(", ");
  return { css: others === "" ? byAttribute : `${others}, ${byAttribute}`, roles: new Set(names) };
}

/** Elements that can be operated, by their tags, attributes and internals. */
export const CONTROLS = ofRoles(
  "button link checkbox radio switch tab option menuitem textbox combobox slider",
  "a[href], area[href], button, input:not([type=hidden i]), select, textarea, summary, iframe, [onclick], " +
    "[tabindex], [contenteditable]:not([contenteditable=false i])",
);

export function isOf(el: Element, { css, roles }: RoleSelector): boolean {
  return matches(el, css) || roles.has(innerOf(el)?.get("role") ?? "");
}

/** Those inside a document, shadow root or element, without those in shadow roots inside; in document order. */
export function queryRoles(root: Node, selector: RoleSelector): Iterable<Element> {
  const tags = innerTags();
  return tags === ""
    ? queryAll(root, selector.css)
    : among(queryAll(root, `${selector.css}, ${tags}`), selector);
}

function* among(elements: Iterable<Element>, selector: RoleSelector): Generator<Element> {
  for (const el of elements) if (isOf(el, selector)) yield el;
}

/** Whether there is one inside the element. */
export function hasRoles(el: Element, selector: RoleSelector): boolean {
  if (queryFirst(el, selector.css) !== null) return true;
  const tags = innerTags();
  return tags !== "" && [...queryAll(el, tags)].some((each) => isOf(each, selector));
}

/** The element itself or the nearest around it, in the document or shadow root that it is in. */
export function closestOf(el: Element, selector: RoleSelector): Element | null {
  if (innerTags() === "") return closest(el, selector.css);
  for (let up: Node | null = el; isElement(up); up = parentOf(up)) if (isOf(up, selector)) return up;
  return null;
}

/** The nearest around the element, in the tree as rendered. */
export function aroundOf(el: Element, selector: RoleSelector): Element | null {
  let up = composedParent(el);
  while (up !== null && !isOf(up, selector)) up = composedParent(up);
  return up;
}
