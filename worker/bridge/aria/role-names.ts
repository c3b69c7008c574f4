// Lists the roles and their properties. The roles come from WAI-ARIA 1.2, DPUB-ARIA 1.1 and Graphics-ARIA, and from
// WAI-ARIA 1.3 if browsers know them.

import { ofRoles, type RoleSelector } from "../dom/role-selector.ts";

const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** The role attribute may name these roles. Abstract roles are left out. The synonyms of `none` count as `none`. */
const CONCRETE =
  words(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox comment complementary contentinfo definition deletion dialog document emphasis feed figure form
  generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee math menu menubar
  menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio radiogroup region
  row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong
  subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid
  treeitem graphics-document graphics-object graphics-symbol doc-abstract doc-acknowledgments doc-afterword doc-appendix
  doc-backlink doc-biblioentry doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit
  doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote
  doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter
  doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`);

const SYNONYMS = new Map([
  ["presentation", "none"],
  ["image", "img"],
  ["directory", "list"],
]);

const entries = (roles: string, selector: RoleSelector): [string, RoleSelector][] =>
  [...words(roles)].map((role) => [role, selector]);

/** These roles mean something only inside a required context (WAI-ARIA), which the value selects. */
export const CONTEXTS: ReadonlyMap<string, RoleSelector> = new Map([
  ["caption", ofRoles("figure table grid treegrid", "figure, table")],
  ...entries("cell columnheader gridcell rowheader", ofRoles("row", "tr")),
  ["row", ofRoles("rowgroup table grid treegrid", "tbody, thead, tfoot, table")],
  ["rowgroup", ofRoles("table grid treegrid", "table")],
  ["listitem", ofRoles("list directory", "ul, ol, menu, dir")],
  ...entries("menuitem menuitemcheckbox menuitemradio", ofRoles("menu menubar group")),
  ["option", ofRoles("listbox group", "select, datalist")],
  ["tab", ofRoles("tablist")],
  ["treeitem", ofRoles("tree group")],
]);

/** A user operates elements of these roles, so each of them gets a ref. */
export const WIDGETS =
  words(`button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio
  scrollbar searchbox slider spinbutton switch tab textbox treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** Content names elements of these roles. The name is in quotes on their line. */
export const NAMED_BY_CONTENT =
  words(`button checkbox heading link menuitem menuitemcheckbox menuitemradio option radio
  switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** Content names these roles, too, says accname. But their line has the content below it or inline, not in quotes. */
export const CONTENT_BELOW = words("cell columnheader comment gridcell row rowheader sectionhead");

/** The content of these roles is presentational. Only the parts that a client can act on get a line. */
export const ATOMIC =
  words(`button checkbox img math menuitemcheckbox menuitemradio meter option progressbar radio scrollbar
  separator slider switch tab doc-pagebreak graphics-symbol`);

/** These roles say in which part of the page something is. */
export const LANDMARKS = words(
  "banner complementary contentinfo form main navigation region search dialog alertdialog",
);

/** These roles mark a part of running text. Among text they belong to it, and alone they are a line. */
export const PHRASES = words(
  "code emphasis strong subscript superscript time mark insertion deletion term definition",
);

/** These phrases say something that the text does not say. So they keep their line among text, too. */
export const TELLING_PHRASES = words("insertion deletion term definition");

/** These roles say nothing without a name, a state and content. */
export const SILENT_WHEN_EMPTY =
  words(`paragraph code emphasis strong subscript superscript time mark insertion deletion
  caption list listitem rowgroup row blockquote group article status note banner contentinfo navigation main
  complementary region search form definition term log alert marquee figure toolbar radiogroup menu menubar tablist
  tabpanel table document application feed`);

/** Returns the first token of a role attribute that is a concrete role and that `accepts` takes. */
export function firstRole(attribute: string, accepts: (role: string) => boolean): string | undefined {
  for (const token of attribute.toLowerCase().trim().split(/\s+/)) {
    const role = SYNONYMS.get(token) ?? token;
    if (CONCRETE.has(role) && accepts(role)) return role;
  }
  return undefined;
}
