// The role of an element: its role attribute where it is valid (WAI-ARIA 1.2), else what its tag means (HTML-AAM 1.0).

import {
  attr,
  attributeNamesOf,
  byId,
  closest,
  firstElementOf,
  has,
  isElement,
  matches,
  nextElementOf,
  parentOf,
  rootOf,
  tagOf,
} from "./dom.ts";
import { isFocusable } from "./focusable.ts";
import { firstRole } from "./role-names.ts";

/** `generic` where the element means nothing by itself, `none` where its meaning was taken away. */
export function roleOf(el: Element, tag = tagOf(el)): string {
  const named = attr(el, "role");
  if (named !== null && named !== "") {
    const role = explicitRole(el, tag, named);
    if (role !== undefined) return role;
  }
  return implicitRole(el, tag);
}

/** Whether the author names the element, by the attributes that name anything. */
function hasAuthorName(el: Element): boolean {
  return has(el, "aria-labelledby") || filled(el, "aria-label") || filled(el, "title");
}

function filled(el: Element, name: string): boolean {
  const value = attr(el, name);
  return value !== null && value.trim() !== "";
}

function explicitRole(el: Element, tag: string, named: string): string | undefined {
  return firstRole(named, (role) => {
    if (role === "none") return !isPresentationRefused(el, tag);
    if (role === "region" || role === "form") return hasAuthorName(el);
    return true;
  });
}

// Presentational roles conflict resolution: what can be focused, or has a global ARIA attribute, keeps its own meaning.
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

/** What the tag means, whatever its role attribute says. */
export function implicitRole(el: Element, tag: string): string {
  const meaning = MEANINGS.get(tag);
  if (meaning === undefined) return "generic";
  return typeof meaning === "string" ? meaning : meaning(el, tag);
}

const HEADING = "heading";
const SECTIONS =
  "article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]";

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
const typeOf = (el: Element) => (attr(el, "type") ?? "").toLowerCase();

type Meaning = string | ((el: Element, tag: string) => string);

const link: Meaning = (el) => (has(el, "href") ? "link" : "generic");
const scoped =
  (role: string): Meaning =>
  (el) =>
    isScoped(el) ? "generic" : role;
const table =
  (role: string): Meaning =>
  (el) =>
    tableRole(el) === "none" ? "none" : role;
const cell: Meaning = (el) => {
  const role = tableRole(el);
  return role === "none" ? "none" : role === "grid" || role === "treegrid" ? "gridcell" : "cell";
};

const BY_TAG: [string, Meaning][] = [
  ...entries("h1 h2 h3 h4 h5 h6", HEADING),
  ...entries("address details fieldset hgroup optgroup", "group"),
  ...entries("del s", "deletion"),
  ...entries("ul ol menu", "list"),
  ...entries("a area", link),
  ...entries("tbody thead tfoot", table("rowgroup")),
  ...entries(
    "article blockquote button caption code dialog figure form main math mark meter option search strong time",
    "",
  ),
  [
    "aside",
    (el) =>
      isScoped(el, "article, aside, nav, section") && !hasAuthorName(el) ? "generic" : "complementary",
  ],
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
  // HTML-AAM leaves it open; Chromium calls it a disclosure triangle. It is pressed, and it opens: a button.
  ["summary", (el) => (isSummary(el) ? "button" : "generic")],
  ["sup", "superscript"],
  ["svg:a", (el) => (has(el, "href") || has(el, "xlink:href") ? "link" : "generic")],
  ["svg:image", "img"],
  ["svg:svg", (el) => (hasAuthorName(el) || hasTitleChild(el) ? "img" : "generic")],
  ["?:math", "math"],
  ["table", "table"],
  ["td", cell],
  ["textarea", "textbox"],
  ["th", headerRole],
  ["tr", table("row")],
];
// An empty role is that of the tag's own name.
const MEANINGS = new Map(BY_TAG.map(([tag, role]) => [tag, role === "" ? tag : role]));

function entries(tags: string, role: Meaning): [string, Meaning][] {
  return tags.split(" ").map((tag) => [tag, role]);
}

function isScoped(el: Element, sections = SECTIONS): boolean {
  const parent = parentOf(el);
  return isElement(parent) && closest(parent, sections) !== null;
}

function isPresentational(el: Element): boolean {
  return has(el, "role") && roleOf(el) === "none";
}

function tableRole(el: Element): string {
  const owner = closest(el, "table");
  return owner === null ? "table" : roleOf(owner);
}

function imageRole(el: Element): string {
  if (attr(el, "alt") !== "") return "img";
  return filled(el, "title") || isPresentationRefused(el, "img") ? "img" : "none";
}

function inputRole(el: Element): string {
  const type = typeOf(el) || "text";
  const role = TYPES.get(type);
  if ((role === undefined || role === "searchbox") && has(el, "list")) {
    const known = WITH_LIST.has(type) || !KNOWN_TYPES.has(type);
    if (known && isDatalist(el)) return "combobox";
  }
  return role ?? "textbox";
}

const KNOWN_TYPES = new Set([
  ...TYPES.keys(),
  ...WITH_LIST,
  ..."password date time datetime-local month week color".split(" "),
]);

function isDatalist(el: Element): boolean {
  const root = rootOf(el);
  const list = root && byId(root, attr(el, "list") ?? "");
  return list != null && tagOf(list) === "datalist";
}

function listItemRole(el: Element): string {
  const parent = parentOf(el);
  if (!isElement(parent)) return "listitem";
  const tag = tagOf(parent);
  if (tag === "ul" || tag === "ol" || tag === "menu") return isPresentational(parent) ? "none" : "listitem";
  return tag === "slot" || roleOf(parent, tag) === "list" ? "listitem" : "generic";
}

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

function hasTitleChild(el: Element): boolean {
  for (let child = firstElementOf(el); child !== null; child = nextElementOf(child)) {
    if (tagOf(child) === "svg:title") return true;
  }
  return false;
}
