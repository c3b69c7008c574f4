// Which roles there are (WAI-ARIA 1.2, with 1.3's that browsers know, DPUB-ARIA 1.1, Graphics-ARIA) and what follows from one.

import { ofRoles, type RoleSelector } from "../dom/role-selector.ts";

const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** What the role attribute may name; abstract roles are not among them, `none` and its synonyms are `none` here. */
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

/** Roles that mean something only as part of something else (WAI-ARIA's required context), and what that is. */
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

/** Roles that a user operates: each element of one gets a ref. */
export const WIDGETS =
  words(`button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio
  scrollbar searchbox slider spinbutton switch tab textbox treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** Roles named by what they contain, in quotes on their line. */
export const NAMED_BY_CONTENT =
  words(`button checkbox heading link menuitem menuitemcheckbox menuitemradio option radio
  switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** Roles that accname names by content too, but whose line carries that content below it or inline, not in quotes. */
export const CONTENT_BELOW = words("cell columnheader comment gridcell row rowheader sectionhead");

/** Roles whose content is presentational: nothing of it is said but what can be acted on. */
export const ATOMIC =
  words(`button checkbox img math menuitemcheckbox menuitemradio meter option progressbar radio scrollbar
  separator slider switch tab doc-pagebreak graphics-symbol`);

/** Roles that say where one stands. */
export const LANDMARKS = words(
  "banner complementary contentinfo form main navigation region search dialog alertdialog",
);

/** Marks on a part of a running text. Among text they are part of it; alone they are a line. */
export const PHRASES = words(
  "code emphasis strong subscript superscript time mark insertion deletion term definition",
);

/** Phrases that say something which the text alone does not, and so keep their line among text too. */
export const TELLING_PHRASES = words("insertion deletion term definition");

/** Roles that say nothing when they are without name, state and content. */
export const SILENT_WHEN_EMPTY =
  words(`paragraph code emphasis strong subscript superscript time mark insertion deletion
  caption list listitem rowgroup row blockquote group article status note banner contentinfo navigation main
  complementary region search form definition term log alert marquee figure toolbar radiogroup menu menubar tablist
  tabpanel table document application feed`);

/** The first token of a role attribute that names a concrete role and that `accepts` takes. */
export function firstRole(attribute: string, accepts: (role: string) => boolean): string | undefined {
  for (const token of attribute.toLowerCase().trim().split(/\s+/)) {
    const role = SYNONYMS.get(token) ?? token;
    if (CONCRETE.has(role) && accepts(role)) return role;
  }
  return undefined;
}
