// The selector index answers as the browser does, in standards and in quirks mode.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundlePage, openBridge } from "../../harness/page.ts";

const script = await bundlePage("selector-answers");
const bridge = await openBridge();

const KEYED = [
  ".icon",
  ".icon.large",
  ".icon-a, .icon-b , #one",
  "ul > li",
  "ul li.icon",
  "a.icon:hover, button:not(:disabled)",
  "li:nth-child(2) a",
  "span:is(.icon, .other)",
  "p ~ .icon",
  "p+span",
  "svg linearGradient",
  "LI",
  "#one .icon",
  "x-card",
  'a[title="x, .y"]',
  "li:not(.a, .b):not([title='(']) ",
  ".größe",
];
const KEYLESS = [
  "*",
  "[role=button]",
  ":is(.icon, #one)",
  ".with\\:colon",
  "p > *",
  ":root",
  "*|a",
  "[title]:not(.icon)",
];

const BODY = `<ul><li class="icon a">1</li><li class="icon-a">2 <a href=# class="icon large" title="x, .y">a</a></li><li title="(">3</li></ul>
  <p id=one>p<b class="icon">b</b></p><span class="other">s</span><span class="Icon">S</span><span class="\ticon\nlarge ">w</span>
  <button>b</button><button disabled>d</button><div role=button class="with:colon">r</div><x-card class="größe">c</x-card>
  <svg><linearGradient class="icon"/><a class=icon>t</a></svg><div title=t ID=ONE>i</div>`;

for (const [mode, doctype] of [
  ["standards", "<!doctype html>"],
  ["quirks", ""],
] as const) {
  test(`each selector matches the same elements, in ${mode} mode`, async () => {
    await bridge.open(`${doctype}<html><body>${BODY}</body></html>`);
    await bridge.run(script);
    const { wrong, keyless, matched } = (await bridge.run(
      `globalThis.differences(${JSON.stringify([...KEYED, ...KEYLESS])})`,
    )) as { wrong: string[]; keyless: number; matched: number };
    assert.deepEqual(wrong, []);
    assert.equal(keyless, KEYLESS.length);
    assert.ok(matched > KEYED.length, `${matched} pairs match`);
  });
}
