// Tests that a page is shown once it has filled itself, or as far as it came.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";
import { api, clicked, holds, page } from "./slow-pages.ts";

const { worker, site } = await stage();

test("a page that fills itself after it has loaded is opened filled", async () => {
  await using session = worker.session();
  const first = api(site, () => "first");
  const second = api(site, () => "second");
  const shown = await session.open(
    site.page(`<div id=app aria-busy=true>Loading…</div><script type=module>
      setTimeout(async () => {
        await (await fetch("${first}")).text();
        const text = await (await fetch("${second}")).text();
        setTimeout(() => { app.removeAttribute("aria-busy"); app.textContent = "Orders: " + text }, 60);
      }, 60);</script>`),
  );
  assert.match(shown, /Orders: second/);
  assert.doesNotMatch(shown, /Loading/);
});

test("a page after a log-in is shown filled", async () => {
  const data = api(site, () => "36 orders");
  const target = site.page(`<h1>Home</h1><div id=app></div><script>
    addEventListener("load", () => setTimeout(async () => { app.textContent = await (await fetch("${data}")).text() }, 40));</script>`);
  await holds(worker, page(site, `go.onclick = () => { location.href = "${target}" };`), /36 orders/);
});

test("a script that never comes does not block the page: it is named, and the page works", async () => {
  await using session = worker.session();
  const held = site.hold();
  const url = site.page(`<h1>Shop</h1><button onclick="this.textContent = 'Bought'">Buy</button>
    <script src="${held.url}"></script><p>The rest</p>`);
  const { text } = await session.do("browser_navigate", { url });
  assert.match(text, /Shop/);
  assert.match(text, new RegExp(`still waiting for GET ${new URL(held.url).pathname}`));
  assert.match(await clicked(session, text, "Buy"), /Bought/);
  held.release("");
  assert.match((await session.do("browser_wait_for", { text: "The rest" })).text, /The rest/);
});

test("a page without scripts that sends its reader on at once is passed over", async () => {
  await using session = worker.session();
  const target = site.page("<h1>Arrived</h1>");
  const url = site.page(`<meta http-equiv=refresh content="0; url=${target}"><h1>On the way</h1>`);
  assert.match(await session.open(url), /Arrived/);
});

test("a header that sends the reader on at once is followed", async () => {
  await using session = worker.session();
  const target = site.page("<h1>Arrived</h1>");
  const url = site.route((_request, response) => {
    response.writeHead(200, { "content-type": "text/html", refresh: `0; url=${target}` });
    response.end("<h1>On the way</h1>");
  });
  assert.match(await session.open(url), /Arrived/);
});

test("a handler without a script fills the page", async () => {
  await using session = worker.session();
  const late =
    "crypto.subtle.digest('SHA-256', new Uint8Array(9)).then(() => { out.textContent = 'filled' })";
  const url = site.page(`<p id=out></p><img src="data:," onerror="${late}">`);
  assert.match(await session.open(url), /filled/);
});

test("a page without scripts is shown with what a style sheet animates into it", async () => {
  await using session = worker.session();
  const url = site.page(`<style>@keyframes in { from { visibility: hidden } } p { animation: in .3s }</style>
    <h1>Shop</h1><p>36 orders</p>`);
  assert.match(await session.open(url), /36 orders/);
});

/** The script fills the page from an observer, which runs with the next frame. */
const LATE = `addEventListener("load", () => {
  const observer = new IntersectionObserver(() => { observer.disconnect(); document.body.append("filled") });
  observer.observe(document.body);
});`;

for (const [where, content] of [
  [
    "in a declarative shadow root",
    `<div><template shadowrootmode=open><script>${LATE}</script></template></div>`,
  ],
  ["that removes itself", `<p>Words</p><script>${LATE}; document.body.replaceChildren("Words")</script>`],
] as const)
  test(`a script ${where} fills the page`, async () => {
    for (let times = 0; times < 5; times++) {
      await using session = worker.session();
      assert.match(await session.open(site.page(content)), /filled/);
    }
  });
