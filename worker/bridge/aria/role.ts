// Computes an element's role: a valid role attribute (WAI-ARIA 1.2), or else the meaning of its tag (HTML-AAM 1.0).

import {
  attr,
  attributeNamesOf,
  byId,
  closest,
  firstElementOf,
  has,
  innerOf,
  isElement,
  matches,
  nextElementOf,
  parentOf,
  rootOf,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { isFocusable } from "../dom/focusable.ts";
import { aroundOf, closestOf, ofRoles, type RoleSelector } from "../dom/role-selector.ts";
import { CONTEXTS, firstRole, WIDGETS } from "./role-names.ts";
import { inputTypeOf } from "./value.ts";

/** Knows which elements aria-owns moves away from their own position. */
type Owned = { isOwned(el: Element): boolean };

/**
 * Returns `generic` if the element means nothing by itself, and `none` if its meaning was removed. `page` knows which
 * elements are owned. Without it, only the element's own position counts.
 */
export function roleOf(el: Element, tag = tagOf(el), page?: Owned): string {
  const named = attr(el, "role");
  // Chrome has already judged the role in the internals.
  if (named !== null && innerRoleOf(el) === named) return named;
  if (named !== null && named !== "") {
    const role = explicitRole(el, tag, named, page);
    if (role !== undefined) return role;
  }
  return implicitRole(el, tag, page);
}

/** Returns the role in the element's internals. */
function innerRoleOf(el: Element): string | undefined {
  return innerOf(el)?.get("role");
}

/** Reports if the author names the element by an attribute that can name any element. */
function hasAuthorName(el: Element): boolean {
  return has(el, "aria-labelledby") || filled(el, "aria-label") || filled(el, "title");
}

function filled(el: Element, name: string): boolean {
  const value = attr(el, name);
  return value !== null && value.trim() !== "";
}

function explicitRole(el: Element, tag: string, named: string, page?: Owned): string | undefined {
  return firstRole(named, (role) => {
    if (role === "none") return !isPresentationRefused(el, tag);
    if (role === "region" || role === "form") return hasAuthorName(el);
    const context = CONTEXTS.get(role);
    return context === undefined || isPart(el, tag, role, context, page);
  });
}

// A role means nothing outside its context. A widget role still counts there if the tag has no better meaning: it says
// more to an acting client.
function isPart(
  el: Element,
  tag: string,
  role: string,
  context: RoleSelector,
  page: Owned | undefined,
): boolean {
  if (aroundOf(el, context) !== null || page?.isOwned(el)) return true;
  return WIDGETS.has(role) && implicitRole(el, tag) === "generic";
}

// An element that is focusable or has a global ARIA attribute keeps its own meaning. WAI-ARIA calls this the
// presentational roles conflict resolution.
const GLOBAL_ARIA = new Set(
  ["atomic", "busy", "controls", "current", "describedby", "details", "dropeffect", "flowto", "grabbed"]
    .concat(["keyshortcuts", "label", "labelledby", "live", "owns", "relevant", "roledescription"])
    .map((name) => `aria-${name}`),
);

function isPresentationRefused(el: Element, tag: string): boolean {
  return (
    isFocusable(el, tag) ||
    attributeNamesOf(el).some((name) => GLOBAL_ARIA.has(name) && attr(el, name) !== "")
  );
}

/** Returns the meaning of the tag without regard to the role attribute. */
export function implicitRole(el: Element, tag: string, page?: Owned): string {
  const meaning = MEANINGS.get(tag);
  if (meaning === undefined) return "generic";
  return typeof meaning === "string" ? meaning : meaning(el, tag, page);
}

const HEADING = "heading";
const SECTIONS = ofRoles(
  "article complementary main navigation region",
  "article, aside, main, nav, section",
);
const PLAIN_SECTIONS: RoleSelector = { css: "article, aside, nav, section", roles: new Set() };

const TYPES = new Map([
  ["hidden", "none"],
  ["button", "button"],
  ["image", "button"],
  ["reset", "button"],
  ["submit", "button"],
  ["file", "button"],
  ["checkbox", "checkbox"],
  ["radio", "radio"],
  ["range", "slider"],
  ["number", "spinbutton"],
  ["search", "searchbox"],
]);
const WITH_LIST = new Set(["text", "search", "tel", "url", "email"]);

type Meaning = string | ((el: Element, tag: string, page?: Owned) => string);

const link: Meaning = (el) => (has(el, "href") ? "link" : "generic");
const scoped =
  (role: string): Meaning =>
  (el) =>
    isScoped(el) ? "generic" : role;
const table =
  (role: string): Meaning =>
  (el) =>
    tableRole(el) === "none" ? "none" : role;
// A drawn element without a name is not an object of its own (SVG-AAM).
const drawn =
  (role: string): Meaning =>
  (el) =>
    isNamedDrawing(el) ? role : "generic";
const cell: Meaning = (el) => {
  const role = tableRole(el);
  return role === "none" ? "none" : role === "grid" || role === "treegrid" ? "gridcell" : "cell";
};

const BY_TAG: [string, Meaning][] = [
  ...entries("h1 h2 h3 h4 h5 h6", HEADING),
  ...entries("address details fieldset hgroup optgroup", "group"),
  ...entries("del s", "deletion"),
  ...entries("ul ol menu dir", "list"),
  ...entries("a area", link),
  ...entries("tbody thead tfoot", table("rowgroup")),
  ...entries(
    "article blockquote button caption code dialog figure form main math mark meter option search strong time",
    "",
  ),
  ["aside", (el) => (isScoped(el, PLAIN_SECTIONS) && !hasAuthorName(el) ? "generic" : "complementary")],
  ["datalist", "listbox"],
  ["dd", "definition"],
  ["dfn", "term"],
  ["dt", "term"],
  ["em", "emphasis"],
  ["footer", scoped("contentinfo")],
  ["frame", "iframe"],
  ["header", scoped("banner")],
  ["hr", "separator"],
  ["html", "document"],
  ["iframe", "iframe"],
  ["img", imageRole],
  ["input", inputRole],
  ["ins", "insertion"],
  ["li", listItemRole],
  ["nav", "navigation"],
  ["output", "status"],
  ["p", "paragraph"],
  ["progress", "progressbar"],
  ["section", (el) => (hasAuthorName(el) ? "region" : "generic")],
  ["select", (el) => (has(el, "multiple") || Number(attr(el, "size")) > 1 ? "listbox" : "combobox")],
  ["sub", "subscript"],
  // HTML-AAM leaves this role open, and Chromium calls it a disclosure triangle. A press opens it, so it is a button
  // here.
  ["summary", (el) => (isSummary(el) ? "button" : "generic")],
  ["sup", "superscript"],
  ["svg:a", (el) => (has(el, "href") || has(el, "xlink:href") ? "link" : "generic")],
  ["svg:g", drawn("group")],
  ["svg:image", "img"],
  ["svg:svg", drawn("img")],
  ...entries(
    "svg:circle svg:ellipse svg:line svg:path svg:polygon svg:polyline svg:rect",
    drawn("graphics-symbol"),
  ),
  ["math:math", "math"],
  ["table", "table"],
  ["td", cell],
  ["textarea", "textbox"],
  ["th", headerRole],
  ["tr", table("row")],
];
// An empty role stands for the tag's own name.
const MEANINGS = new Map(BY_TAG.map(([tag, role]) => [tag, role === "" ? tag : role]));

function entries(tags: string, role: Meaning): [string, Meaning][] {
  return tags.split(" ").map((tag) => [tag, role]);
}

function isScoped(el: Element, sections = SECTIONS): boolean {
  const parent = parentOf(el);
  return isElement(parent) && closestOf(parent, sections) !== null;
}

function tableRole(el: Element): string {
  const owner = closest(el, "table");
  return owner === null ? "table" : roleOf(owner);
}

// A picture with an empty alt means nothing to a reader. A picture without alt, source and name is nothing at all.
function imageRole(el: Element): string {
  const alt = attr(el, "alt");
  if (alt === "" ? isEmptyAltRefused(el) : alt !== null || showsPicture(el) || hasAuthorName(el))
    return "img";
  return "none";
}

function isEmptyAltRefused(el: Element): boolean {
  if (!isPresentationRefused(el, "img")) return false;
  const only = ["aria-label", "aria-labelledby"];
  const refusing = attributeNamesOf(el).filter((name) => GLOBAL_ARIA.has(name) && attr(el, name) !== "");
  if (isFocusable(el, "img") || refusing.some((name) => !only.includes(name))) return true;
  return filled(el, "aria-label") || isReferringToText(el);
}

function isReferringToText(el: Element): boolean {
  const root = rootOf(el);
  if (root === undefined) return false;
  return (attr(el, "aria-labelledby") ?? "").split(/\s+/).some((id) => {
    const namer = id === "" ? null : byId(root, id);
    return (
      namer !== null &&
      (namer === el || (textContentOf(namer) ?? "").trim() !== "" || filled(namer, "aria-label"))
    );
  });
}

function showsPicture(el: Element): boolean {
  if (filled(el, "src") || filled(el, "srcset")) return true;
  const parent = parentOf(el);
  return isElement(parent) && tagOf(parent) === "picture";
}

function inputRole(el: Element): string {
  const type = inputTypeOf(el as HTMLInputElement);
  const role = TYPES.get(type);
  if (WITH_LIST.has(type) && has(el, "list") && isDatalist(el)) return "combobox";
  return role ?? "textbox";
}

function isDatalist(el: Element): boolean {
  const root = rootOf(el);
  const list = root && byId(root, attr(el, "list") ?? "");
  return list != null && tagOf(list) === "datalist";
}

function listItemRole(el: Element, _tag: string, page?: Owned): string {
  const parent = parentOf(el);
  const isHere = isElement(parent) && (LISTS.has(tagOf(parent)) || has(parent, "role"));
  const list = isHere ? parent : aroundOf(el, CONTEXTS.get("listitem") as RoleSelector);
  if (list !== null && (!has(list, "role") || roleOf(list) === "list")) return "listitem";
  return page?.isOwned(el) ? "listitem" : "generic";
}

const LISTS = new Set(["ul", "ol", "menu", "dir"]);

function headerRole(el: Element): string {
  if (tableRole(el) === "none") return "none";
  const scope = (attr(el, "scope") ?? "").toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = parentOf(el);
  if (!isElement(row)) return "columnheader";
  for (let cell = firstElementOf(row); cell !== null; cell = nextElementOf(cell)) {
    if (tagOf(cell) === "td") return "rowheader";
  }
  return "columnheader";
}

function isSummary(el: Element): boolean {
  return matches(el, "details > summary:first-of-type");
}

function isNamedDrawing(el: Element): boolean {
  return hasTitleChild(el) || hasAuthorName(el);
}

function hasTitleChild(el: Element): boolean {
  for (let child = firstElementOf(el); child !== null; child = nextElementOf(child)) {
    if (tagOf(child) === "svg:title") return true;
  }
  return false;
}
