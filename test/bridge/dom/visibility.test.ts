import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

function shadow(content: string): string {
  return `<template shadowrootmode=open>${content}</template>`;
}

/** Nests one style in the other, twice. */
function nested(outer: string, inner: string): string {
  return `<div style='${outer}'>a<div style='${inner}'>b<div style='${outer}'>c<p style='${inner}'>X</p></div></div></div>`;
}

/** Says of each markup if its `X` is in the tree. All of them share one document. */
const cases: [what: string, html: string, shown: boolean][] = [
  ["display: none", "<p style='display:none'>X</p>", false],
  ["inside display: none", "<div style='display:none'><p>X</p></div>", false],
  ["the hidden attribute", "<p hidden>X</p>", false],
  ["hidden until found", "<p hidden=until-found>X</p>", false],
  ["a closed dialog", "<dialog>X</dialog>", false],
  ["an open dialog", "<dialog open>X</dialog>", true],
  ["a closed popover", "<div popover>X</div>", false],
  ["an open popover", "<div popover id=p>X</div><script>p.showPopover()</script>", true],
  ["noscript", "<noscript><p>X</p></noscript>", false],
  ["a template", "<template><p>X</p></template>", false],
  ["visibility: hidden", "<p style='visibility:hidden'>X</p>", false],
  [
    "visible inside hidden",
    "<div style='visibility:hidden'>no<p style='visibility:visible'>X</p></div>",
    true,
  ],
  ["a collapsed row", "<table><tr style='visibility:collapse'><td>X</table>", false],
  ["content-visibility: hidden", "<div style='content-visibility:hidden'><p>X</p></div>", false],
  [
    "off-screen content-visibility: auto",
    "<div style='height:5000px'></div><div style='content-visibility:auto'><p>X</p></div>",
    true,
  ],
  ["a closed details", "<details><summary>s</summary><p>X</p></details>", false],
  ["its text without an element", "<details><summary>s</summary>X</details>", false],
  ["opacity: 0", "<p style='opacity:0'>X</p>", true],
  ["no size", "<p style='width:0;height:0;overflow:hidden'>X</p>", true],
  ["clipped away", "<p style='position:absolute;clip:rect(0 0 0 0)'>X</p>", true],
  ["display: contents", "<div style='display:contents'>X</div>", true],
  [
    "display: contents in hidden",
    "<div style='display:none'><div style='display:contents'>X</div></div>",
    false,
  ],
  [
    "display: contents and visibility: hidden",
    "<div style='display:contents;visibility:hidden'>X</div>",
    false,
  ],
  [
    "a child that a shadow host does not slot",
    "<div><template shadowrootmode=open></template><p>X</p></div>",
    false,
  ],
  ["a child in a slot", "<div><template shadowrootmode=open><slot></slot></template><p>X</p></div>", true],
  ["a slot's own content", "<div><template shadowrootmode=open><slot>X</slot></template></div>", true],
  [
    "a slot that is hidden",
    "<div><template shadowrootmode=open><slot style='display:none'></slot></template><p>X</p></div>",
    false,
  ],
  ["a canvas's fallback", "<canvas><p>X</p></canvas>", true],
  ["a hidden part of it", "<canvas><p hidden>X</p></canvas>", false],
  ["an aria-hidden part", "<div aria-hidden=true>X</div>", false],
  ["aria-hidden=false", "<div aria-hidden=false>X</div>", true],
  ["an inert part", "<div inert>X</div>", false],
  [
    "an image's map",
    "<img usemap=#m src=x alt=i><map name=m><area href=/x alt=X shape=rect coords=0,0,9,9></map>",
    true,
  ],
  ["a script", "<script>'X'</script>", false],
  ["a style sheet", "<style>X{}</style>", false],
  ["hidden, but displayed by a style", "<p hidden style='display:block'>X</p>", true],
  [
    "visible in what is not displayed",
    "<div style='display:none'><p style='visibility:visible'>X</p></div>",
    false,
  ],
  ["visible in hidden in visible in hidden", nested("visibility:hidden", "visibility:visible"), true],
  ["hidden by a rule", "<style>.gone{display:none}</style><p class=gone>X</p>", false],
  ["hidden on paper only", "<style>@media print{.paper{display:none}}</style><p class=paper>X</p>", true],
  ["hidden on screens", "<style>@media screen{.screen{display:none}}</style><p class=screen>X</p>", false],
  ["hidden by its host", `<div>${shadow("<style>:host{display:none}</style><p>X</p>")}</div>`, false],
  [
    "slotted into what hides it",
    `<div>${shadow("<style>::slotted(p){display:none}</style><slot></slot>")}<p>X</p></div>`,
    false,
  ],
  ["in a host that is invisible", `<div style='visibility:hidden'>${shadow("<p>X</p>")}</div>`, false],
  [
    "made visible in such a host",
    `<div style='visibility:hidden'>${shadow("<p style='visibility:visible'>X</p>")}</div>`,
    true,
  ],
  [
    "slotted into display: contents",
    `<div>${shadow("<b style='display:contents'><slot></slot></b>")}X</div>`,
    true,
  ],
  ["display: contents in display: contents", nested("display:contents", "display:contents"), true],
  ["hidden in display: contents", "<div style='display:contents'><p hidden>X</p></div>", false],
  ["text of content-visibility: hidden", "<div style='content-visibility:hidden'>X</div>", false],
  ["moved out of the window", "<p style='position:absolute;left:-9999px'>X</p>", true],
  ["indented out of the window", "<p style='text-indent:-9999px'>X</p>", true],
  ["scaled to nothing", "<p style='transform:scale(0)'>X</p>", true],
  ["of no font size", "<p style='font-size:0'>X</p>", true],
  ["transparent", "<p style='color:transparent'>X</p>", true],
  ["clipped by a path", "<p style='clip-path:inset(50%)'>X</p>", true],
  ["turned away", "<p style='transform:rotateY(180deg);backface-visibility:hidden'>X</p>", true],
  [
    "under something else",
    "<div style='position:relative'><p>X</p><div style='position:absolute;inset:0'></div></div>",
    true,
  ],
  ["scrolled out of its box", "<div style='height:9px;overflow:hidden'><br><br><p>X</p></div>", true],
  ["an open details", "<details open><summary>s</summary>X</details>", true],
  ["the summary of a closed details", "<details><summary>X</summary>y</details>", true],
  [
    "a summary in a closed details in one",
    "<details><summary>s</summary><details><summary>X</summary></details></details>",
    false,
  ],
  [
    "an open details in a closed one",
    "<details><summary>s</summary><details open><summary>t</summary>X</details></details>",
    false,
  ],
  ["a closed details without a summary", "<details>X</details>", false],
  [
    "an open popover in what is not displayed",
    "<div hidden><div popover=manual id=q>X</div></div><script>q.showPopover()</script>",
    false,
  ],
  [
    "an open popover in what is invisible",
    "<div style='visibility:hidden'><div popover=manual id=r>X</div></div><script>r.showPopover()</script>",
    false,
  ],
  ["a manual popover", "<div popover=manual id=o>X</div><script>o.showPopover()</script>", true],
  ["a closed dialog displayed by a style", "<dialog style='display:block'>X</dialog>", true],
  ["aria-hidden=false in aria-hidden=true", "<div aria-hidden=true><p aria-hidden=false>X</p></div>", false],
  ["aria-hidden by a value that is none", "<p aria-hidden=maybe>X</p>", true],
  ["aria-hidden without a value", "<p aria-hidden>X</p>", true],
  ["deep in an inert part", "<div inert><div><p>X</p></div></div>", false],
  ["role=none", "<ul role=none><li>X</ul>", true],
  ["a hidden field's value", "<input type=hidden value=X>", false],
  ["a list of suggestions", "<datalist><option>X</datalist>", false],
  ["an option that is hidden", "<select><option>a<option hidden>X</select>", false],
  ["an option not displayed", "<select><option>a<option style='display:none'>X</select>", false],
  ["an option of a closed select", "<select><option>a<option>X</select>", true],
  ["the fallback of a video", "<video>X</video>", false],
  ["the fallback of a frame", "<iframe>X</iframe>", false],
  ["the brackets of a ruby", "<ruby>a<rp>X</rp><rt>b</rt></ruby>", false],
  ["the reading of a ruby", "<ruby>a<rt>X</rt></ruby>", true],
  ["the title of a drawing", "<svg><title>X</title></svg>", true],
  ["the title of a part of one", "<svg><circle r=9><title>X</title></circle></svg>", true],
  ["the description of a drawing", "<svg><desc>X</desc></svg>", false],
  ["the text of a drawing", "<svg><text>X</text></svg>", true],
  ["a definition in a drawing", "<svg><defs><text>X</text></defs></svg>", false],
  ["a symbol that is not used", "<svg><symbol><text>X</text></symbol></svg>", false],
  ["HTML in a drawing", "<svg><foreignObject width=9 height=9><p>X</p></foreignObject></svg>", true],
  ["a formula", "<math><mi>X</mi></math>", true],
  ["a comment", "<p><!-- X -->y</p>", false],
  ["an unknown element", "<x-y>X</x-y>", true],
  ["a fieldset that is disabled", "<fieldset disabled><p>X</p></fieldset>", true],
  ["an image's alt", "<img alt=X src=x>", true],
  ["the alt of an image that is none", "<img alt=X role=none src=x>", false],
  ["a caption that is hidden", "<table><caption hidden>X</caption><tr><td>y</table>", false],
  ["a legend that is hidden", "<fieldset><legend hidden>X</legend><input></fieldset>", false],
];

const bridge = await openBridge();
const marked = cases.map(([, html], index) => `<section>${html.replace("X", `X${index}.`)}</section>`);
const text = await bridge.treeOf(`<!doctype html><body>${marked.join("\n")}`);

for (const [index, [what, , shown]] of cases.entries()) {
  test(`${what} is ${shown ? "in" : "not in"} the tree`, () => {
    assert.equal(text.includes(`X${index}.`), shown, text);
  });
}
