// Has names that the author gives: aria-label, aria-labelledby, title. Each is on all elements that take it (accname,
// html-aam, svg-aam).
import { type Case, nameCases, PIXEL, words } from "./case.ts";

const LABELLED =
  words(`alert alertdialog application article banner blockquote button cell checkbox columnheader
  combobox complementary contentinfo dialog directory document feed figure form grid gridcell group heading img link list
  listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note
  option progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider
  spinbutton status switch tab table tablist tabpanel textbox timer toolbar tooltip tree treegrid treeitem
  associationlist associationlistitemkey associationlistitemvalue`);

const onRoles = nameCases(
  "aria-label on role",
  LABELLED.map((role) => [role, `<div @ role=${role} aria-label=label>x</div>`, "label"]),
);

const TAGS =
  words(`article aside blockquote button dd dl dt footer fieldset figure form header h1 h2 h3 h4 h5 h6 li
  main math meter nav ol section textarea ul`);

const onTags = nameCases("aria-label on", [
  ...TAGS.map((tag): [string, string, string] => [tag, `<${tag} @ aria-label=label>x</${tag}>`, "label"]),
  ["a", "<a @ href='' aria-label=label>x</a>", "label"],
  ["hr", "<hr @ aria-label=label>", "label"],
  ["img", "<img @ alt='' aria-label=label>", "label"],
  ...words("checkbox radio search text").map((type): [string, string, string] => [
    `input ${type}`,
    `<input @ type=${type} aria-label=label>`,
    "label",
  ]),
  ["select", "<select @ aria-label=label></select>", "label"],
  ["option", "<select><option @ aria-label=label value=foo>x</select>", "label"],
  ["table", "<table @ aria-label=label><tr><td>x</table>", "label"],
  ["thead", "<table><thead @ aria-label=label><tr><th>x</thead></table>", "label"],
  ["tbody", "<table><tbody @ aria-label=label><tr><td>x</tbody></table>", "label"],
  ["tfoot", "<table><tr><td>x<tfoot @ aria-label=label><tr><td>x</tfoot></table>", "label"],
  ["tr", "<table><tr @ aria-label=label><td>x</table>", "label"],
  ["td", "<table><tr><td @ aria-label=label>x<td>x</table>", "label"],
  ["th of a column", "<table><tr><th @ scope=col aria-label=label>x</table>", "label"],
  ["th of a row", "<table><tr><th @ scope=row aria-label=label>x</table>", "label"],
]);

const SPAN = (style: string) => `<span id=a style='${style}'><span style='${style}'>label</span></span>`;

const first = nameCases("what comes first", [
  [
    "reference to the undisplayed",
    `<button @ aria-labelledby=a aria-label=foo>${SPAN("display:none")}x</button>`,
    "label",
  ],
  [
    "reference to the invisible",
    `<button @ aria-labelledby=a aria-label=foo>${SPAN("visibility:hidden")}x</button>`,
    "label",
  ],
  [
    "reference to what holds only the invisible",
    "<button @ aria-labelledby=a aria-label=foo><span id=a><span style='visibility:hidden'>label</span></span>x</button>",
    "foo",
  ],
  [
    "reference before label",
    "<a @ href=# aria-labelledby=a aria-label=foo>x</a><span id=a>label</span>",
    "label",
  ],
  ["label before alt", "<img @ alt=alt aria-label=foo>", "foo"],
  ["label before svg title", "<svg @ aria-label=foo><circle r=4><title>circle</title></circle></svg>", "foo"],
  ["label before <label>", "<label for=f>label</label><input @ id=f aria-label=foo>", "foo"],
  ["label before content", "<button @ aria-label=label>x</button>", "label"],
  ["label before text", "<h1 @ aria-label=label>x</h1>", "label"],
  ["label before title", "<button @ aria-label=label title=foo>x</button>", "label"],
]);

const white = nameCases("white space in aria-label", [
  ["after", "<textarea @ aria-label='label  '>x</textarea>", "label"],
  ["before", "<a @ href=# aria-label='     label'>x</a>", "label"],
  ["a braille blank is none", "<button @ aria-label='&#x2800;'>my button</button>", "\u2800"],
  ["a line break", "<div @ role=alert aria-label='&#10;alert message'>x</div>", "alert message"],
  ["a tab", "<a @ href=# aria-label='&#9;label'>x</a>", "label"],
  ["a form feed", "<button @ aria-label='&#12;label'>my button</button>", "label"],
  ["a hard space after", "<nav @ aria-label='label&nbsp;'>x</nav>", "label\u00a0"],
  ["a hard space before", "<button @ aria-label='&nbsp;label'>my button</button>", "\u00a0label"],
  ["empty", "<button @ aria-label=''>my button</button>", "my button"],
  ["only a tab", "<textarea @ aria-label='&#9;' title=title>x</textarea>", "title"],
  ["only a line break", "<button @ aria-label='&#10;'>my button</button>", "my button"],
  ["only spaces", "<button @ aria-label='      '>my button</button>", "my button"],
]);

/** Only an author names these elements. */
const BY_AUTHOR: Record<string, string> = {
  address: "x",
  aside: "x",
  blockquote: "x",
  details: "<summary>x</summary>",
  figure: "x",
  footer: "x",
  form: "x",
  hgroup: "<h3>x</h3><p>y</p>",
  hr: "",
  main: "x",
  menu: "<li>x</li>",
  nav: "x",
  ol: "<li>x</li>",
  search: "x",
  section: "x",
  ul: "<li>x</li>",
};
const SOURCES: [attributes: string, name: string][] = [
  ["", ""],
  ["aria-label=label", "label"],
  ["aria-labelledby=l", "labelledby"],
  ["title=title", "title"],
  ["aria-labelledby=l aria-label=label title=title", "labelledby"],
  ["aria-labelledby=l aria-label=label", "labelledby"],
  ["aria-labelledby=l title=title", "labelledby"],
  ["aria-label=label title=title", "label"],
];

const byAuthor = Object.entries(BY_AUTHOR).flatMap(([tag, content]) =>
  nameCases(
    tag,
    SOURCES.map(([attributes, name]) => [
      attributes || "no name",
      `<${tag} @ ${attributes}>${tag === "hr" ? "" : `${content}</${tag}>`}<div id=l hidden>labelledby</div>`,
      name,
    ]),
  ),
);

const titles = nameCases("title", [
  ["link with an empty picture", "<a @ href=# title=label><img src=# alt=''></a>", "label"],
  ["group", "<div @ title=label role=group>content</div>", "label"],
  ["picture without alt", "<img @ src=foo.jpg title=label>", "label"],
  ["picture with alt", "<img @ src=foo.jpg title=label alt=broken>", "broken"],
  ["picture with alt alone", "<img @ src=foo.jpg alt=broken>", "broken"],
  ["picture with an empty alt", `<img @ src=${PIXEL} title=title alt=''>`, ""],
  ["textarea with a placeholder", "<textarea @ title=label placeholder=p></textarea>", "label"],
  ...words("text email password").map((type): [string, string, string] => [
    `${type} with a placeholder`,
    `<input @ type=${type} title=label placeholder=p>`,
    "label",
  ]),
  ["checkbox", "<input @ type=checkbox title=label>", "label"],
  ["radio", "<input @ type=radio title=label>", "label"],
  ["select", "<select @ title=label><option>x</select>", "label"],
  ["iframe", "<iframe @ title=label></iframe>", "label"],
  ["button with content", "<button @ title=label>button</button>", "button"],
  ["link with content", "<a @ href=# title=label>content</a>", "content"],
  ["summary with content", "<details><summary @ title=label>summary</summary>x</details>", "summary"],
]);

const SHAPES: [what: string, html: string][] = [
  ["circle", "<circle cx=26 cy=26 r=25></circle>"],
  ["rect", "<rect width=50 height=50></rect>"],
  ["polygon", "<polygon points='100,100 150,25 150,75'></polygon>"],
  ["g", "<g><circle r=25 /><circle r=25 /></g>"],
];

const svg = [
  ...nameCases(
    "svg title of",
    words("circle rect polygon g").map((tag) => [
      tag,
      `<svg><${tag} @><title>label</title></${tag}></svg>`,
      "label",
    ]),
  ),
  ...SHAPES.flatMap(([what, html]) =>
    nameCases(`svg link around ${what}`, [
      ["xlink:title", `<svg><a @ href=# xlink:title=label>${html}</a></svg>`, "label"],
      [
        "aria-labelledby",
        `<p id=l>Huey</p><svg><a @ href=# aria-labelledby=l xlink:title=label>${html}</a></svg>`,
        "Huey",
      ],
      [
        "aria-labelledby and aria-label",
        `<p id=l>Huey</p><svg><a @ href=# aria-labelledby=l aria-label=Athos xlink:title=label>${html}</a></svg>`,
        "Huey",
      ],
    ]),
  ),
];

export const givenNames: Case[] = [...onRoles, ...onTags, ...first, ...white, ...byAuthor, ...titles, ...svg];
