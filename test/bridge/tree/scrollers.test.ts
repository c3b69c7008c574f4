// Regions that scroll on their own are marked, and have a ref for the scroll tool.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const LONG = "<div style='height:900px;width:900px'></div>";
const SCROLLS = /\[scrollable\]/;

/** Has the element's markup, and its line if it scrolls. The line is undefined if it does not. */
const cases: [what: string, html: string, line: string | undefined][] = [
  [
    "a list by its own style",
    `<ul aria-label=A style="height:90px;overflow-y:auto"><li>x</li>${LONG}</ul>`,
    `- list "A" [scrollable] [ref=e1]:`,
  ],
  [
    "a wrapper by a rule",
    `<style>.w{height:90px;overflow:auto}</style><div class=w>${LONG}x</div>`,
    "- generic [scrollable] [ref=e1]: x",
  ],
  [
    "a wrapper by a rule with a variable",
    `<style>:root{--o:scroll}.w{height:90px;overflow:var(--o)}</style><div class=w>${LONG}x</div>`,
    "- generic [scrollable] [ref=e1]: x",
  ],
  [
    "a table's frame, sideways",
    `<div style="width:90px;overflow-x:scroll">${LONG}<p>x</p></div>`,
    "- generic [scrollable] [ref=e1]:",
  ],
  [
    "an open dialog, which the browser lets scroll",
    `<dialog id=d aria-label=A style="height:90px">${LONG}x</dialog><script>d.showModal()</script>`,
    `- dialog "A" [scrollable] [active] [ref=e1]: x`,
  ],
  [
    "in a shadow root",
    `<div><template shadowrootmode=open><style>.w{height:90px;overflow:auto}</style><div class=w>${LONG}x</div></template></div>`,
    "- generic [scrollable] [ref=e1]: x",
  ],
  [
    "other states come after",
    `<div role=region aria-label=A aria-current=true style="height:90px;overflow:auto">${LONG}x</div>`,
    `- region "A" [scrollable] [current] [ref=e1]: x`,
  ],
  [
    "one that holds no more than its box",
    `<ul aria-label=A style="overflow:auto"><li>x</li></ul>`,
    undefined,
  ],
  ["one that is cut off", `<div style="height:90px;overflow:hidden">${LONG}x</div>`, undefined],
  ["the document", `<style>html,body{overflow:auto}</style>${LONG}${LONG}x`, undefined],
  [
    "a body that scrolls",
    `<style>html{overflow:hidden}body{overflow:auto;height:90px}</style>${LONG}x`,
    undefined,
  ],
  ["a button", `<button style="height:9px;overflow:auto">x${LONG}</button>`, undefined],
  ["a text area", `<textarea style="height:9px;overflow:auto">${"x\n".repeat(90)}</textarea>`, undefined],
  [
    "one that the pointer passes through",
    `<div style="height:90px;overflow:auto;pointer-events:none">${LONG}x</div>`,
    undefined,
  ],
];

for (const [what, html, line] of cases) {
  test(`${what}: ${line ?? "not scrollable"}`, async () => {
    const text = await bridge.treeOf(`<!doctype html><body>${html}`);
    if (line === undefined) assert.doesNotMatch(text, SCROLLS);
    else
      assert.ok(
        text.split("\n").some((one) => one.trim() === line),
        text,
      );
  });
}

test("a card with a pointer cursor keeps its ref in a region that scrolls", async () => {
  const text = await bridge.treeOf(
    `<!doctype html><body><div tabindex=0 style="height:90px;overflow:auto"><div style="cursor:pointer">Card</div>${LONG}</div>`,
  );
  assert.match(text, /- generic \[ref=e\d+\]: Card/);
});

test("a region that begins or ceases to scroll without a mutation is noticed", async () => {
  await bridge.open(
    `<!doctype html><body><div role=region aria-label=A style="height:50vh;overflow:auto"><img id=i alt=x></div>`,
  );
  assert.doesNotMatch(await bridge.tree(), SCROLLS);
  const { width, height } = { width: 800, height: 600 };
  await bridge.page.setViewport({ width, height });
  const src = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='900'/>`;
  await bridge.run(`(async () => { i.src = ${JSON.stringify(src)}; await i.decode(); })()`);
  assert.match(await bridge.tree(), /region "A" \[scrollable\]/);
  await bridge.page.setViewport({ width, height: 4000 });
  assert.doesNotMatch(await bridge.tree(), SCROLLS);
});
