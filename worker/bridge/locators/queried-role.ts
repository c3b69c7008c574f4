// Computes the role by which test tools find an element: that of Playwright's getByRole and of Testing Library. It says
// less than the tree's role: these tools know no disclosure buttons, players or editing hosts.

import { implicitRole } from "../aria/role.ts";
import { attr, attributeNamesOf, closest, composedParent, has, tagOf } from "../dom/dom.ts";
import { isFocusable } from "../dom/focusable.ts";
import { visibilityOf } from "../dom/visibility.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The roles of WAI-ARIA 1.2 that these tools know. */
const KNOWN = words(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox complementary contentinfo definition deletion dialog document emphasis feed figure form grid
  gridcell group heading img insertion link list listbox listitem log main mark marquee math meter menu menubar menuitem
  menuitemcheckbox menuitemradio navigation note option paragraph progressbar radio radiogroup region row rowgroup
  rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table
  tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`);
const MEANINGLESS = words("none presentation generic");

/** Tags whose role these tools do not know, or know otherwise than the tree. */
const WITHOUT_ROLE = words(
  "summary video audio iframe frame object embed address hgroup s dir svg:g svg:a svg:image",
);

/** Selects, for each role, the tags that may have it without a role attribute. */
const TAGS: Readonly<Record<string, string>> = {
  article: "article",
  banner: "header",
  blockquote: "blockquote",
  button: "button, input",
  caption: "caption",
  cell: "td, th",
  checkbox: "input",
  code: "code",
  columnheader: "th",
  combobox: "select, input",
  complementary: "aside",
  contentinfo: "footer",
  definition: "dd",
  deletion: "del",
  dialog: "dialog",
  emphasis: "em",
  figure: "figure",
  form: "form",
  gridcell: "td, th",
  group: "details, fieldset, optgroup",
  heading: "h1, h2, h3, h4, h5, h6",
  img: "img, svg",
  insertion: "ins",
  link: "a, area",
  list: "ul, ol, menu",
  listbox: "select, datalist",
  listitem: "li",
  main: "main",
  mark: "mark",
  math: "math",
  meter: "meter",
  navigation: "nav",
  option: "option",
  paragraph: "p",
  progressbar: "progress",
  radio: "input",
  region: "section",
  row: "tr",
  rowgroup: "tbody, thead, tfoot",
  rowheader: "th",
  search: "search",
  searchbox: "input",
  separator: "hr",
  slider: "input",
  spinbutton: "input",
  status: "output",
  strong: "strong",
  subscript: "sub",
  superscript: "sup",
  table: "table",
  term: "dfn, dt",
  textbox: "input, textarea",
  time: "time",
};

/** Returns a selector that matches every element which may have the role, and others. */
export function mayHaveRole(role: string): string {
  const tags = TAGS[role];
  return `[role~="${role}"]${tags === undefined ? "" : `, ${tags}`}`;
}

/** Returns the element's role, or undefined if these tools find it by none. */
export function queriedRole(el: Element): string | undefined {
  const tag = tagOf(el);
  const named = (attr(el, "role") ?? "")
    .split(/\s+/)
    .find((role) => KNOWN.has(role) || MEANINGLESS.has(role));
  if (named !== undefined && KNOWN.has(named)) return named;
  if (named === "generic") return undefined;
  if (named !== undefined && !isKept(el, tag)) return undefined;
  return ownRole(el, tag);
}

/** Reports if assistive technology is shown the element, as these tools judge it. */
export function isQueried(el: Element): boolean {
  const visibility = visibilityOf(el, tagOf(el));
  if (visibility !== "shown" && visibility !== "bare") return false;
  for (let up: Element | null = el; up !== null; up = composedParent(up))
    if (attr(up, "aria-hidden")?.toLowerCase() === "true") return false;
  return true;
}

// A presentational role counts only on an element that no one can use.
function isKept(el: Element, tag: string): boolean {
  return isFocusable(el, tag) || attributeNamesOf(el).some((name) => name.startsWith("aria-"));
}

function ownRole(el: Element, tag: string): string | undefined {
  if (WITHOUT_ROLE.has(tag)) return undefined;
  switch (tag) {
    case "form":
    case "section":
      return has(el, "aria-label") || has(el, "aria-labelledby")
        ? tag === "form"
          ? "form"
          : "region"
        : undefined;
    case "aside":
      return "complementary";
    case "li":
      return closest(el, "[role=none], [role=presentation]") === null ? "listitem" : undefined;
    case "svg:svg":
      return "img";
    case "math:math":
      return "math";
    default: {
      const role = implicitRole(el, tag);
      return KNOWN.has(role) ? role : undefined;
    }
  }
}
