// Has names made of an element's content and the additions of style sheets (accname, steps 2F to 2H).
import { type Case, nameCases, namesWithin, PIXEL } from "./case.ts";

const STYLE = `<style>
  .before::before { content: " before "; } .after::after { content: " after "; }
  .close::before, .close::after { content: "close"; }
  .alt-before::before { content: " before " / " alt-before "; } .alt-after::after { content: " after " / " alt-after "; }
  .no-alt::before { content: "before" / ""; } .no-alt-image::before { content: "before " url(x.png) / ""; }
  .mixed-before::before { content: " before " / " start " attr(data-b) " end "; }
  .mixed-after::after { content: " after " / " start " attr(data-a) " end "; }
  .before:dir(rtl)::before { content: " من قبل "; } .after:dir(rtl)::after { content: " بعد "; }
  .block > span { display: block; } .iblock > span { display: inline-block; }
</style>`;
const IMAGE = `<img alt=image src=${PIXEL}>`;

/** The same content is in a button, a heading and a link. */
const EACH: [what: string, attributes: string, content: string, name: string][] = [
  ["text", "", "label", "label"],
  ["::before", "class=before", "label", "before label"],
  ["::after", "class=after", "label", "label after"],
  ["::before and ::after", "class='before after'", "label", "before label after"],
  ["::before and ::after without a space", "class=close", "label", "closelabelclose"],
  ["right to left", "dir=rtl lang=ar class='before after'", "اسم", "من قبل اسم بعد"],
  ["alternative text", "class='alt-before alt-after'", "label", "alt-before label alt-after"],
  [
    "mixed alternative text",
    "class='mixed-before mixed-after' data-b=alt-b data-a=alt-a",
    "label",
    "start alt-b end label start alt-a end",
  ],
  ["children", "", "<span>one</span> <span>two</span> <span>three</span>", "one two three"],
  ["an image", "", `<span>one</span> <img alt=two src=${PIXEL}> <span>three</span>`, "one two three"],
  [
    "an image inside",
    "",
    `<span>one</span> <span>two <img alt=three src=${PIXEL}></span> <span>four</span>`,
    "one two three four",
  ],
  ["children without spaces", "", "<span>one</span><span>two</span><span>three</span>", "onetwothree"],
  ["blocks", "class=block", "<span>one</span><span>two</span><span>three</span>", "one two three"],
  ["inline blocks", "class=iblock", "<span>one</span><span>two</span><span>three</span>", "one two three"],
  ["a term", "", "<span>this is an </span><dfn>example</dfn>", "this is an example"],
  ["a part of role term", "", "<span>this is an </span><span role=term>example</span>", "this is an example"],
];

const each = EACH.flatMap(([what, attributes, content, name]) =>
  nameCases(`content: ${what}`, [
    ["button", `${STYLE}<button @ ${attributes}>${content}</button>`, name],
    ["heading", `${STYLE}<h3 @ ${attributes}>${content}</h3>`, name],
    ["link", `${STYLE}<a @ href=# ${attributes}>${content}</a>`, name],
  ]),
);

const byRole = ["button", "heading", "link"].flatMap((role) =>
  nameCases(`role=${role}`, [
    ["inline", `<span @ tabindex=0 role=${role}>label</span>`, "label"],
    ["block", `<div @ tabindex=0 role=${role}>label</div>`, "label"],
  ]),
);

const nested = nameCases("nested", [
  [
    "button in heading",
    `<h3 @>heading <button>button ${IMAGE} button</button> heading</h3>`,
    "heading button image button heading",
  ],
  [
    "link in heading",
    `<h3 @>heading <a href=#>link ${IMAGE} link</a> heading</h3>`,
    "heading link image link heading",
  ],
  [
    "link with aria-label in heading",
    `<h3 @>heading <a href=# aria-label=label>x ${IMAGE} x</a> heading</h3>`,
    "heading label heading",
  ],
  [
    "link with aria-labelledby in heading",
    `<h3 @>heading <a href=# aria-labelledby=i>x <img id=i alt=image src=${PIXEL}> x</a> heading</h3>`,
    "heading image heading",
  ],
  ["text around a comment", "<h2 @>heading<!-- no space --> label</h2>", "heading label"],
  [
    "item of a menu",
    "<ul role=menu><li role=presentation><a @ role=menuitem href=#>Description</a></ul>",
    "Description",
  ],
  ["radio with no alternative text", `${STYLE}<input @ class=no-alt type=radio style='appearance:none'>`, ""],
  [
    "radio with no alternative to a picture",
    `${STYLE}<input @ class=no-alt-image type=radio style='appearance:none'>`,
    "",
  ],
  ...["button", "h2", "a href=#"].map((tag): [string, string, string] => [
    `white space in an element of its own: ${tag}`,
    `<${tag} @><b>Total</b><span> </span><b>6</b></${tag.split(" ")[0]}>`,
    "Total 6",
  ]),
  ["a hard space in an element of its own", "<button @>one<span>&nbsp;</span>two</button>", "one two"],
  ["kana as written", "<h3 @ lang=ja style='text-transform:full-size-kana'>りゅう</h3>", "りゅう"],
  [
    "kana as written, button",
    "<button @ lang=ja style='text-transform:full-size-kana'>りゅう</button>",
    "りゅう",
  ],
  ["no transform", "<h1 @ style='text-transform:none'>Call us</h1>", "Call us"],
  ["upper case", "<h1 @ style='text-transform:uppercase'>Call us</h1>", "CALL US"],
  ["capitals", "<h1 @ style='text-transform:capitalize'>Call us</h1>", "Call Us"],
  ["lower case", "<h1 @ style='text-transform:lowercase'>Call us</h1>", "call us"],
  ["address in a link", "<a @ href=#><address>This is a test.</address></a>", "This is a test."],
  [
    "list of terms in a link",
    "<a @ href=#><dl><dt>Cost</dt><dd>$24.00</dd><dt>Paid</dt><dd>today</dd></dl></a>",
    "Cost $24.00 Paid today",
  ],
  [
    "what is hidden and what is not",
    "<button @><span aria-hidden=true>a,</span> <span hidden>b,</span> <span>c</span></button>",
    "c",
  ],
  [
    "visible in the invisible",
    "<h2 @>a, <span style='visibility:hidden'>b, <span style='visibility:visible'>c</span></span></h2>",
    "a, c",
  ],
  [
    "an invisible part with a label",
    "<h2 @>a <button aria-label=Sort style='visibility:hidden'></button><img alt=b style='visibility:hidden'></h2>",
    "a",
  ],
]);

const TWO_LINKS = `<h3 @1><a href=# aria-labelledby=i>link1</a> <a @2 href=#>link2 <img id=i alt=image src=${PIXEL}> link3</a></h3>`;
const CROSSED = `<h3 @1><a href=# aria-labelledby=i><span id=s>link</span></a> <img id=i alt=image aria-labelledby="REF" src=${PIXEL}></h3>`;

const headings = [
  ...namesWithin("an image named elsewhere", TWO_LINKS, ["image link2 link3", "link2 image link3"]),
  ...namesWithin("references crossed", CROSSED.replace("REF", "s"), ["image link"]),
  ...namesWithin("references crossed, and itself", CROSSED.replace("REF", "i s"), ["image link"]),
  ...namesWithin(
    "heading in a heading",
    "<div @1 role=heading aria-level=1><div @2 role=heading aria-level=2>inner</div></div>",
    ["", "inner"],
  ),
  ...namesWithin(
    "heading with text in a heading",
    "<div @1 role=heading aria-level=1>Chocolate <div role=heading>butter</div></div>",
    ["Chocolate"],
  ),
  ...nameCases("named by its heading", [
    ["alertdialog", "<div @ role=alertdialog><h2>contents</h2><p>more</p></div>", "contents"],
    ["article", "<div @ role=article><h2>contents</h2><p>more</p></div>", "contents"],
    ["dialog", "<div @ role=dialog><h2>contents</h2><p>more</p></div>", "contents"],
    ["<dialog>", "<dialog @ open><h2>contents</h2><p>more</p></dialog>", "contents"],
    ["a group is not", "<div @ role=group><h2>contents</h2><p>more</p></div>", ""],
  ]),
];

const MARKED = `<style>.own::marker { content: "* "; }</style>`;
const markers = nameCases("marker", [
  ["of ul", "<ul><li id=l>sky</ul><button @ aria-labelledby=l>x</button>", "• sky"],
  ["of ol", "<ol><li id=l>sky</ol><button @ aria-labelledby=l>x</button>", "1. sky"],
  ["of one's own", `${MARKED}<ul><li id=l class=own>sky</ul><button @ aria-labelledby=l>x</button>`, "* sky"],
]);

const owned = nameCases("owns", [
  [
    "a button its hidden part",
    "<button @ aria-owns=p><div aria-hidden=true><span id=p>Play</span><span>Pause</span></div></button>",
    "Play",
  ],
  [
    "a link text elsewhere",
    "<a @ href=# aria-owns=w>W3C</a><div aria-hidden=true><span id=w> (new window)</span></div>",
    "W3C (new window)",
  ],
  [
    "an owner not displayed",
    "<h3 @><span hidden aria-owns=t>no</span> <mark id=t>treasure</mark></h3>",
    "treasure",
  ],
  [
    "an owner that is hidden",
    "<h3 @><span aria-hidden=true aria-owns=t>no</span> <mark id=t>treasure</mark></h3>",
    "treasure",
  ],
  ["what is not displayed", "<a @ href=# aria-owns=w>W3C</a><span id=w hidden> (new window)</span>", "W3C"],
  [
    "what is in the undisplayed",
    "<a @ href=# aria-owns=w>W3C</a><div hidden><span id=w> (new window)</span></div>",
    "W3C",
  ],
  [
    "what is hidden",
    "<a @ href=# aria-owns=w>W3C</a><span id=w aria-hidden=true> (new window)</span>",
    "W3C",
  ],
  [
    "text persists elsewhere",
    "<h3><span hidden aria-owns=s>no</span></h3><h4 @><mark id=s>scrolls</mark></h4>",
    "scrolls",
  ],
]);

export const contentNames: Case[] = [...each, ...byRole, ...nested, ...headings, ...markers, ...owned];
