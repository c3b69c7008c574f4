// Compares the locators that Troupe gives with the elements that Playwright finds by them, on real applications.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedLocator } from "../../worker/bridge/api/bridge-api.ts";
import { playwrightCode } from "../../worker/recording/locator-code.ts";
import { installPackages } from "../apps/packages.ts";
import { applications } from "../apps/play.ts";
import { openSite } from "../apps/site.ts";
import { bundlePage } from "../harness/page.ts";
import { shared } from "../harness/shared.ts";
import { launchPlaywright, type PlaywrightPage } from "./playwright.ts";

const ODD = `<main><h1>Orders</h1>
  <table><tr><td>Ada<td><button>Delete</button><tr><td>Bob<td><button>Delete</button></table>
  <ul><li>Lamp <button>Buy</button></li><li>Desk <button>Buy</button></li></ul>
  <label>Name <input></label><label for=c>Colour</label><select id=c><option>red</select>
  <input placeholder="Search &quot;all&quot;"><input aria-label='O"Brien\\' id=r1:2>
  <button aria-hidden=true>Hidden twin</button><button>Hidden twin</button>
  <details><summary>More</summary><a href=/x>Inside</a></details>
  <div onclick=1 style="cursor:pointer">Plain thing</div><div role=button tabindex=0>Made <b>of</b> parts</div>
  <button data-testid=save>Save</button><button data-cy=copy>Save</button><button title="Close it">×</button>
  <button>Cart (2)</button><button>12:30</button><img alt="A cat" src="data:," tabindex=0><a href=/a>Same</a><a href=/b>Same</a>
  <x-card></x-card><x-card></x-card><input type=file><input type=date><div contenteditable>Write</div>
  <form><input name=parentNode></form><section aria-label=Box><button>Same in box</button></section>
  <section aria-label=Crate><button>Same in box</button></section><video controls></video><iframe title=Pay srcdoc="x"></iframe>
  <p>Slotted text: <x-slot>Ship</x-slot></p><x-field aria-label=Weight></x-field><div hidden><x-field></x-field></div>
  <x-box></x-box><x-box></x-box><section><x-box><div><button>In a box</button></div></x-box></section>
  <table><tr><th role=columnheader tabindex=0>Sum <button aria-label=Sort style="visibility:hidden"></button></table>
  <input type=reset value=Undo>
  <dialog open aria-label=Sure><button>OK</button></dialog><button>OK</button>
  <script>customElements.define("x-card", class extends HTMLElement { constructor() { super();
    const n = document.querySelectorAll("x-card:defined").length;
    this.attachShadow({ mode: "open" }).innerHTML = "<button>Card " + n + "</button><slot></slot><input placeholder=inner>"; } });
    const shadowed = (name, html) => customElements.define(name, class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = html; } });
    shadowed("x-slot", "<span tabindex=0><slot></slot></span>");
    shadowed("x-field", "<input id=inner class=inner>");
    shadowed("x-box", "<div class=box__shell tabindex=0 onclick=1><slot></slot></div>")</script></main>`;

const script = await bundlePage("all-locators");
const browser = await launchPlaywright();
shared({ [Symbol.asyncDispose]: () => browser.close() });

/** Returns the locators that match something else than their element, and how many were asked. */
async function compared(page: PlaywrightPage) {
  await page.evaluate(script);
  type Asked = { name: string; locators: RankedLocator[] };
  const all = await page.evaluate<Asked[]>("allLocators()");
  const wrong: string[] = [];
  for (const [index, { name, locators }] of all.entries()) {
    for (const { kind, parts, css } of locators) {
      const codes = [
        playwrightCode({ frames: [], parts }),
        ...(css ? [`page.locator(${JSON.stringify(css)})`] : []),
      ];
      for (const code of codes) {
        const locator = new Function("page", `return ${code}`)(page);
        const isOnly = await locator.evaluateAll(
          (found: object[], at: number) => globalThis.isOnly(found, at),
          index,
        );
        if (!isOnly) wrong.push(`${name}: ${kind}: ${code}`);
      }
    }
  }
  const bare = all.filter(({ locators }) => locators.length === 0).map(({ name }) => name);
  return { wrong, bare, count: all.length };
}

declare global {
  function isOnly(found: readonly object[], index: number): boolean;
}

test("each locator of an odd page matches exactly its element in Playwright", async () => {
  await using page = await browser.newPage();
  await page.goto(`data:text/html,${encodeURIComponent(ODD)}`);
  const { wrong, bare, count } = await compared(page);
  assert.deepEqual(wrong, []);
  assert.deepEqual(bare, []);
  assert.ok(count > 30, `only ${count} elements were asked for`);
});

/** All applications are compared by `npm run test:exports`. */
const names =
  process.env.EXPORTS === "all" ? await applications() : ["bootstrap", "forms", "radix", "tanstack"];
for (const name of names)
  test(`each locator matches exactly its element in the application ${name}`, async () => {
    await installPackages(name, () => undefined);
    await using site = await openSite(name);
    await using page = await browser.newPage({ bypassCSP: true });
    await page.goto(site.url);
    await page.waitForLoadState("networkidle");
    const { wrong, bare } = await compared(page);
    assert.deepEqual(wrong, []);
    assert.deepEqual(bare, []);
  });
