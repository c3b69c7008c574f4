// Has the meanings of HTML's and SVG's own elements (html-aam, svg-aam).
import { type Case, PIXEL, roleCases, rolesWithin, words } from "./case.ts";

const PLAIN = words(`address:group article:article b:generic bdi:generic bdo:generic blockquote:blockquote
  button:button code:code data:generic del:deletion dfn:term div:generic em:emphasis footer:contentinfo h1:heading
  h2:heading h3:heading h4:heading h5:heading h6:heading header:banner i:generic ins:insertion main:main mark:mark
  nav:navigation output:status p:paragraph pre:generic q:generic s:deletion samp:generic search:search small:generic
  span:generic strong:strong sub:subscript sup:superscript textarea:textbox time:time u:generic progress:progressbar
  aside:complementary section:generic a:generic li:generic`);

const plain: Case[] = PLAIN.map((entry) => {
  const [tag, role] = entry.split(":") as [string, string];
  return { id: `<${tag}>`, html: `<${tag} @>x</${tag}>`, role };
});

const INPUTS = words(`button:button checkbox:checkbox email:textbox number:spinbutton radio:radio range:slider
  reset:button search:searchbox submit:button tel:textbox text:textbox url:textbox image:button password:textbox`);

const inputs: Case[] = INPUTS.map((entry) => {
  const [type, role] = entry.split(":") as [string, string];
  return { id: `<input type=${type}>`, html: `<input @ type=${type} value=x>`, role };
});

const inContext = roleCases("html", [
  ["link", "<a @ href=#>x</a>", "link"],
  ["caption", "<table><caption @>x</caption><tr><td>x</table>", "caption"],
  ["dd", "<dl><dt>x</dt><dd @>x</dd></dl>", "definition"],
  ["dt", "<dl><dt @>x</dt><dd>x</dd></dl>", "term"],
  ["details", "<details @><summary>x</summary>x</details>", "group"],
  ["dir", "<dir @><li>x</li></dir>", "list"],
  ["fieldset", "<fieldset @><legend>x</legend><input></fieldset>", "group"],
  ["figure", `<figure @><img alt=x src=${PIXEL}><figcaption>x</figcaption></figure>`, "figure"],
  ["form with a name", "<form @ aria-label=f><input></form>", "form"],
  ["hgroup", "<hgroup @><h1>x</h1></hgroup>", "group"],
  ["hr", "<hr @>", "separator"],
  ["ul", "<ul @><li>x</ul>", "list"],
  ["ol", "<ol @><li>x</ol>", "list"],
  ["menu", "<menu @><li>x</menu>", "list"],
  ["li of ul", "<ul><li @>x<li>x</ul>", "listitem"],
  ["li of ol", "<ol><li @>x<li>x</ol>", "listitem"],
  ["li of ul role=none", "<ul role=none><li @>x</ul>", "generic"],
  ["li in a div of ul", "<ul><div><li @>x</li></div></ul>", "listitem"],
  ["li owned by ul", "<ul aria-owns=t></ul><li @ id=t>x</li>", "listitem"],
  ["li of role=list", "<div role=list><li @>x</li></div>", "listitem"],
  ["meter", "<meter @ min=0 max=100 value=50>x</meter>", "meter"],
  ["option", "<select><option @>x<option>x</select>", "option"],
  ["optgroup", "<select><optgroup @ label=x><option>x</optgroup></select>", "group"],
  ["select of size 2", "<select @ size=2><option>x<option>x</select>", "listbox"],
  ["search field with a role", "<input @ type=search role=combobox>", "combobox"],
  ["switch", "<input @ type=checkbox switch>", "switch"],
  [
    "area",
    `<map name=m><area @ href=# alt=x shape=rect coords=0,0,9,9></map><img usemap=#m alt=x src=${PIXEL}>`,
    "link",
  ],
  [
    "area without href",
    `<map name=m><area @ alt=x shape=rect coords=0,0,9,9></map><img usemap=#m alt=x src=${PIXEL}>`,
    "generic",
  ],
  ["summary alone", "<summary @>x</summary>", "generic"],
  [
    "second summary",
    "<details><ol><li>x</ol><summary>x</summary><summary @>x</summary></details>",
    "generic",
  ],
  ["summary not a child", "<details><div><summary @>x</summary></div><p>x</p></details>", "generic"],
]);

const sections = roleCases("section", [
  ["aside in main", "<main><aside @>x</aside></main>", "complementary"],
  ...words("article aside nav section").flatMap((tag): [string, string, string][] => [
    [`aside in ${tag}`, `<${tag} aria-label=s><aside @>x</aside></${tag}>`, "generic"],
    [
      `aside in ${tag}, named`,
      `<${tag} aria-label=s><aside @ aria-label=x>x</aside></${tag}>`,
      "complementary",
    ],
  ]),
  ["aside in article in main", "<main><article><aside @>x</aside></article></main>", "generic"],
  [
    "aside in article in main, named",
    "<main><article><aside @ aria-label=x>x</aside></article></main>",
    "complementary",
  ],
  ["aside in nav with a role", "<nav><aside @ role=complementary>x</aside></nav>", "complementary"],
  ["footer in nav", "<nav><footer @ aria-label=x>x</footer></nav>", "generic"],
  ["header in nav", "<nav><header @ aria-label=x>x</header></nav>", "generic"],
  ["footer in main", "<main><footer @>x</footer></main>", "generic"],
  ["header in main", "<main><header @>x</header></main>", "generic"],
  ["section, named", "<section @ aria-label=x>x</section>", "region"],
]);

const forms = roleCases("form with", [
  ["no name", "<form @>x</form>", "generic"],
  ["aria-label", "<form @ aria-label=x>x</form>", "form"],
  ["empty aria-label", "<form @ aria-label=''>x</form>", "generic"],
  ["white aria-label", "<form @ aria-label=' '>x</form>", "generic"],
  ["aria-labelledby", "<form @ aria-labelledby=l>x</form><p id=l>l</p>", "form"],
  ["aria-labelledby of nothing", "<form @ aria-labelledby=none>x</form>", "generic"],
  ["aria-labelledby of what is empty", "<form @ aria-labelledby=l>x</form><p id=l></p>", "generic"],
  ["aria-labelledby of what is white", "<form @ aria-labelledby=l>x</form><p id=l> </p>", "generic"],
  ["title", "<form @ title=x>x</form>", "form"],
  ["empty title", "<form @ title=''>x</form>", "generic"],
]);

const images = roleCases("img", [
  ["alt", `<img @ alt=x src=${PIXEL}>`, "img"],
  ["alt without a value", `<img @ alt src=${PIXEL}>`, "generic"],
  ["empty alt", `<img @ alt="" src=${PIXEL}>`, "generic"],
  ...words("alt=x title=x aria-label=x aria-labelledby=l").flatMap((named): [string, string, string][] => [
    [`${named}, no source`, `<img @ ${named}><p id=l hidden>x</p>`, "img"],
    [`${named}, empty src`, `<img @ src="" ${named}><p id=l hidden>x</p>`, "img"],
    [`${named}, empty srcset`, `<img @ srcset="" ${named}><p id=l hidden>x</p>`, "img"],
  ]),
  ["srcset alone", `<img @ srcset=${PIXEL}>`, "img"],
  ["srcset and empty src", `<img @ srcset=${PIXEL} src="">`, "img"],
  ["broken srcset", "<img @ src='' srcset=...>", "img"],
  ["broken src", "<img @ srcset='' src=...>", "img"],
  ["empty alt, aria-label", `<img @ srcset=${PIXEL} alt="" aria-label=x>`, "img"],
  [
    "empty alt, aria-labelledby",
    `<img @ srcset=${PIXEL} alt="" aria-labelledby=l><p id=l hidden>x</p>`,
    "img",
  ],
  ["empty alt, empty aria-label", `<img @ srcset=${PIXEL} alt="" aria-label="">`, "generic"],
  ["empty alt, white aria-label", `<img @ srcset=${PIXEL} alt="" aria-label=" ">`, "generic"],
  ["empty alt, aria-labelledby of nothing", `<img @ srcset=${PIXEL} alt="" aria-labelledby=none>`, "generic"],
  [
    "empty alt, aria-labelledby of the empty",
    `<img @ srcset=${PIXEL} alt="" aria-labelledby=l><p id=l></p>`,
    "generic",
  ],
  [
    "empty alt, aria-labelledby of the white",
    `<img @ srcset=${PIXEL} alt="" aria-labelledby=l><p id=l> </p>`,
    "generic",
  ],
  ["empty alt, title", `<img @ srcset=${PIXEL} alt="" title=x>`, "generic"],
  ["empty alt, empty title", `<img @ srcset=${PIXEL} alt="" title="">`, "generic"],
  ["empty alt, white title", `<img @ srcset=${PIXEL} alt="" title=" ">`, "generic"],
  ["nothing at all", "<img @>", "generic"],
  ["empty src", "<img @ src=''>", "generic"],
  ["empty srcset", "<img @ srcset=''>", "generic"],
  ["both empty", "<img @ src='' srcset=''>", "generic"],
  ["empty alt, no source", "<img @ alt=''>", "generic"],
  ["empty title, no source", "<img @ title=''>", "generic"],
  ["empty alt, broken srcset", "<img @ srcset=... alt=''>", "generic"],
]);

const TABLE = `<table @1><caption @2>c</caption><thead><tr @3><th @4>a</th><th>b</th></tr></thead>
  <tbody><tr @5><th @6>1</th><td @7>2</td></tr></tbody></table>`;
const FOCUSED = `<table><thead tabindex=0 @1><tr><th>a</th></tr></thead><tbody tabindex=0 @2><tr><td>1</td></tr></tbody>
  <tfoot tabindex=0 @3><tr><td>x</td></tr></tfoot></table>`;

const tables = [
  ...rolesWithin("html table", TABLE, words("table caption row columnheader row rowheader cell")),
  ...rolesWithin("focusable parts", FOCUSED, words("rowgroup rowgroup rowgroup")),
  ...rolesWithin(
    "empty parts",
    "<table><thead @1></thead><tbody @2></tbody><tfoot @3></tfoot></table>",
    words("rowgroup rowgroup rowgroup"),
  ),
  ...roleCases("table with", [
    ["a summary", "<table @ summary=s></table>", "table"],
    ["rules", "<table @ rules=rows></table>", "table"],
    ["thead", "<table @><thead></thead></table>", "table"],
    ["tfoot", "<table @><tfoot></tfoot></table>", "table"],
    ["a caption", "<table @><caption></caption></table>", "table"],
    ["col", "<table @><col></table>", "table"],
    ["colgroup", "<table @><colgroup></colgroup></table>", "table"],
    ["two th", "<table @><tr><th><th></table>", "table"],
    ["one th", "<table @><tr><th></table>", "table"],
    ["20 rows", `<table @>${"<tr><td>1".repeat(20)}</table>`, "table"],
    ["no size", "<table @ style='width:0;height:0;overflow:hidden'></table>", "table"],
  ]),
];

const least = roleCases("at least a group", [
  ["article that can be dragged", "<article @ draggable=true>x</article>", "article"],
  ["div as article that can be dragged", "<div @ draggable=true role=article>x</div>", "article"],
  ["section, named, that can be dragged", "<section @ aria-label=x draggable=true>x</section>", "region"],
  ["div", "<div @>x</div>", "generic"],
]);

const svg = [
  ...roleCases(
    "svg",
    words("circle ellipse foreignObject g line path polygon polyline rect").map(
      (tag): [string, string, string] => [tag, `<svg><${tag} @></${tag}></svg>`, "generic"],
    ),
  ),
  ...roleCases("svg", [
    ["image", "<svg><image @></image></svg>", "img"],
    ["image, named", `<svg><image @ aria-label=x href=${PIXEL}></image></svg>`, "img"],
    ["a, href", "<svg><a @ href=# aria-label=x>x</a></svg>", "link"],
    ["a, xlink:href", "<svg><a @ xlink:href=# aria-label=x>x</a></svg>", "link"],
    ["g, named", "<svg><g @ aria-label=x><circle r=5 /></g></svg>", "group"],
    ["image outside svg", "<image @>", "generic"],
    ["image outside svg, alt", "<image @ alt=x>", "img"],
    ["image outside svg, label", "<image @ aria-label=x>", "img"],
    ["image outside svg, title", "<image @ title=x>", "img"],
    ["image outside svg, empty alt", "<image @ alt=''>", "generic"],
    ["graphics-document", "<svg @ role=graphics-document><circle r=5 /></svg>", "graphics-document"],
  ]),
];

export const htmlRoles: Case[] = [
  ...plain,
  ...inputs,
  ...inContext,
  ...sections,
  ...forms,
  ...images,
  ...tables,
  ...least,
  ...svg,
];
