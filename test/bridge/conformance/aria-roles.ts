// Has roles of the role attribute, alone and in the structures that they need (wai-aria, dpub-aam, graphics-aria).
import { type Case, roleCases, rolesWithin, words } from "./case.ts";

const ALONE = words(`alert alertdialog application article banner blockquote button checkbox code combobox
  complementary contentinfo definition deletion dialog document emphasis feed figure generic group heading insertion link
  log main marquee math meter navigation note paragraph progressbar radio radiogroup scrollbar search searchbox separator
  slider spinbutton status strong subscript suggestion superscript switch term textbox time timer toolbar tooltip
  graphics-document graphics-object graphics-symbol doc-abstract doc-acknowledgments doc-afterword doc-appendix
  doc-backlink doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits
  doc-dedication doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary
  doc-glossref doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagelist doc-pagefooter
  doc-pageheader doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`);

const alone: Case[] = ALONE.map((role) => ({
  id: `role=${role}`,
  html: `<div @ role=${role}>x</div>`,
  role,
}));

const same = roleCases("synonym", [
  ["none", "<div @ role=none>x</div>", "generic"],
  ["presentation", "<div @ role=presentation>x</div>", "generic"],
  ["img", "<div @ role=img>x</div>", "img"],
  ["image", "<div @ role=image>x</div>", "img"],
  ["ul", "<ul @><li>x</ul>", "list"],
  ["ul as list", "<ul @ role=list><li>x</ul>", "list"],
  ["ul as directory", "<ul @ role=directory><li>x</ul>", "list"],
  ["div as directory", "<div @ role=directory><div role=listitem>x</div></div>", "list"],
]);

const GRID = `<div @1 role=grid><div @2 role=row><span @3 role=columnheader>x</span><span @4 role=columnheader>x</span></div>
  <div @5 role=row><span @6 role=rowheader>x</span><span @7 role=gridcell>x</span></div></div>`;
const GROUPED = `<div role=grid><div @1 role=rowgroup><div @2 role=row><span @3 role=columnheader>x</span>
  <span @4 role=columnheader>x</span></div><div @5 role=row><span @6 role=rowheader>x</span>
  <span @7 role=gridcell>x</span></div></div></div>`;
const TABLE = `<div @1 role=table><div @2 role=caption>x</div><div @3 role=rowgroup><div @4 role=row>
  <span @5 role=columnheader>x</span></div></div><div role=rowgroup><div role=row><span @6 role=rowheader>x</span>
  <span @7 role=cell>x</span></div></div></div>`;
const MENU = `<div @1 role=ROLE><div @2 role=menuitem>x</div><div @3 role=group><div @4 role=menuitem>x</div></div>
  <div role=group><div @5 role=menuitemradio aria-checked=true>x</div></div>
  <div role=group><div @6 role=menuitemcheckbox aria-checked=true>x</div></div></div>`;
const IN_MENU = ["menuitem", "group", "menuitem", "menuitemradio", "menuitemcheckbox"];

const structures = [
  ...rolesWithin("grid", GRID, words("grid row columnheader columnheader row rowheader gridcell")),
  ...rolesWithin("rowgroup", GROUPED, words("rowgroup row columnheader columnheader row rowheader gridcell")),
  ...rolesWithin("table", TABLE, words("table caption rowgroup row columnheader rowheader cell")),
  ...rolesWithin(
    "table of rows",
    "<div @1 role=table><div @2 role=row><span @3 role=cell>x</span></div></div>",
    ["table", "row", "cell"],
  ),
  ...rolesWithin("menu", MENU.replace("ROLE", "menu"), ["menu", ...IN_MENU]),
  ...rolesWithin("menubar", MENU.replace("ROLE", "menubar"), ["menubar", ...IN_MENU]),
  ...rolesWithin(
    "list",
    "<div @1 role=list><div @2 role=listitem>x</div><div @3 role=listitem>x</div></div>",
    words("list listitem listitem"),
  ),
  ...rolesWithin(
    "listbox",
    `<div @1 role=listbox><div @2 role=option>x</div><div @3 role=group><span @4 role=option>x</span>
     <span @5 role=option>x</span></div><div @6 role=option>x</div></div>`,
    words("listbox option group option option option"),
  ),
  ...rolesWithin(
    "tree",
    `<ul @1 role=tree><li @2 role=treeitem>x <ul @3 role=group><li @4 role=treeitem>x<li role=treeitem>x</ul>
     <li role=treeitem>x</ul>`,
    words("tree treeitem group treeitem"),
  ),
  ...rolesWithin(
    "treegrid",
    `<table @1 role=treegrid><tbody><tr @2 role=row aria-expanded=true aria-level=1><td @3 role=gridcell>x</td>
     <td @4>x</td></tr></table>`,
    words("treegrid row gridcell gridcell"),
  ),
];

const TABS = `<div @1 role=tablist><div @2 role=tab aria-selected=true tabindex=0>x</div>
  <div @3 role=tab aria-selected=false tabindex=-1>y</div></div><div @4 role=tabpanel>x</div><div @5 role=tabpanel></div>`;
const TABS_IN_LIST = `<ul @1 role=tablist><li ROLE><div @2 role=tab aria-selected=true tabindex=0>x</div>
  <li ROLE><div @3 role=tab>x</div></ul><div @4 role=tabpanel>x</div>`;

const tabs = [
  ...rolesWithin("tabs", TABS, words("tablist tab tab tabpanel tabpanel")),
  ...rolesWithin("tabs in a list", TABS_IN_LIST.replaceAll("ROLE", ""), words("tablist tab tab tabpanel")),
  ...rolesWithin(
    "tabs in none",
    TABS_IN_LIST.replaceAll("ROLE", "role=none"),
    words("tablist tab tab tabpanel"),
  ),
  ...rolesWithin(
    "tab button",
    "<div @1 role=tablist><button @2 role=tab>x</button></div>",
    words("tablist tab"),
  ),
  ...rolesWithin(
    "tabs that control",
    `<div @1 role=tablist><div @2 role=tab aria-controls=p aria-selected=true>x</div>
     <div @3 role=tab aria-controls=q aria-selected=false>y</div></div><div @4 role=tabpanel id=p>x</div>
     <div @5 role=tabpanel id=q>y</div>`,
    words("tablist tab tab tabpanel tabpanel"),
  ),
];

/** A role that needs another role around it means nothing alone. */
const orphans = roleCases("orphan", [
  ...words(`cell columnheader gridcell listitem menuitem menuitemcheckbox menuitemradio option row rowgroup rowheader tab
    treeitem`).flatMap((role): [string, string, string][] => [
    [`span as ${role}`, `<span @ role=${role}>x</span>`, "generic"],
    [`nav as ${role}`, `<nav @ role=${role}>x</nav>`, "navigation"],
    [`button as ${role}`, `<button @ role=${role}>x</button>`, "button"],
  ]),
  ["p as caption", "<p @ role=caption>x</p>", "paragraph"],
  ["p as listitem", "<p @ role=listitem>x</p>", "paragraph"],
]);

const scoped = roleCases("scope", [
  ["footer in main", "<main><footer @>x</footer></main>", "generic"],
  ["footer", "<footer @>x</footer>", "contentinfo"],
  ["contentinfo", "<div @ role=contentinfo>x</div>", "contentinfo"],
  ["region without a name", "<div @ role=region>x</div>", "generic"],
  ["region", "<div @ role=region aria-label=x>x</div>", "region"],
  ["nav as region without a name", "<nav @ role=region>x</nav>", "navigation"],
  ["nav as region", "<nav @ role=region aria-label=x>x</nav>", "region"],
  ["nav as form without a name", "<nav @ role=form>x</nav>", "navigation"],
  ["nav as form", "<nav @ role=form aria-label=x>x</nav>", "form"],
  ["explicit", "<div @ role=group aria-label=x style='height: 9px'></div>", "group"],
  ["implicit", "<h1 @>x</h1>", "heading"],
]);

const LISTED = "<ul role=none><li @ aria-describedby=d>a<li>b</ul><p id=d>d</p>";
const TABLED = "<table role=none STYLE><tbody><tr><td @ aria-describedby=d>a</td></tr></table><p id=d>d</p>";

const presentational = roleCases("none", [
  ["heading with a label", "<h1 @ role=none aria-label=x>x</h1>", "heading"],
  ["paragraph with a label", "<p @ role=none aria-label=x>x</p>", "paragraph"],
  ["paragraph", "<p @ role=none>x</p>", "generic"],
  ["heading in the tab order", "<h1 @ role=none tabindex=0>x</h1>", "heading"],
  ["heading that can be focused", "<h1 @ role=none tabindex=-1>x</h1>", "heading"],
  ["heading with a level", "<h1 @ role=none aria-level=2>x</h1>", "generic"],
  ["field", "<label for=f>x</label><input @ id=f role=presentation>", "textbox"],
  ["disabled field", "<label for=f>x</label><input @ id=f role=presentation disabled>", "generic"],
  ["item of a list that is none", LISTED, "generic"],
  ["cell of a table that is none", TABLED.replace("STYLE", ""), "generic"],
  ["cell of one with lines", TABLED.replace("STYLE", "style='border: 1px solid'"), "generic"],
  ["button in a button", "<div role=button><span>a</span><span @ role=button>b</span></div>", "generic"],
]);

export const ariaRoles: Case[] = [
  ...alone,
  ...same,
  ...structures,
  ...tabs,
  ...orphans,
  ...scoped,
  ...presentational,
];
