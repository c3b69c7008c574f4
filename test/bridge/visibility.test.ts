import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBridge } from "./fixture.ts";

let bridge: Awaited<ReturnType<typeof openBridge>>;
let text = "";
before(async () => {
  bridge = await openBridge();
  const marked = cases.map(([, html], index) => `<section>${html.replace("X", `X${index}.`)}</section>`);
  text = await bridge.treeOf(`<!doctype html><body>${marked.join("\n")}`);
});
after(() => bridge.close());

/** Whether the `X` in it is in the tree. They all stand in one document. */
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
];

for (const [index, [what, , shown]] of cases.entries()) {
  test(`${what} is ${shown ? "in" : "not in"} the tree`, () => {
    assert.equal(text.includes(`X${index}.`), shown, text);
  });
}
