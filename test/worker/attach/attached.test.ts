// Tests a worker with an attached browser.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startPersonsChrome } from "../../harness/browser/persons-chrome.ts";
import { refOf, startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const site = await serveSite();
const chrome = await startPersonsChrome();
const browser = { connect: chrome.address, headless: true, sandbox: "auto" };
const persons = await chrome.open(site.page("<title>The person's own</title>"));
const worker = await startWorker({ browser });
after(async () => {
  await worker[Symbol.asyncDispose]();
  await chrome[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
const urls = async () => (await chrome.pages()).map(({ url }) => url);
const page = site.page(`<title>Shop</title><button onclick="this.textContent = document.cookie">Buy</button>
  <script>document.cookie = "cart=" + new URLSearchParams(location.search).get("cart")</script>`);

test("a session reads and clicks in the attached browser", async () => {
  assert.equal(worker.started.browserSource, "attached");
  assert.equal(worker.started.browserEndpoint, chrome.address);
  await using session = worker.session();
  const text = await session.open(`${page}?cart=1`);
  const { text: clicked } = await session.do("browser_click", { ref: refOf(text, '"Buy"') });
  assert.match(clicked, /button "cart=1"/);
});

test("two sessions have their own cookies, and neither lists the person's tab", async () => {
  await using one = worker.session();
  await using two = worker.session();
  await one.open(`${page}?cart=1`);
  await two.open(`${page}?cart=2`);
  const cookies = async (session: typeof one) =>
    (await session.do("browser_storage", { action: "list", area: "cookies" }, { profile: "full" })).text;
  assert.match(await cookies(one), /"cart"[^\n]*1/);
  assert.match(await cookies(two), /"cart"[^\n]*2/);
  const { text } = await one.do("browser_tabs", { action: "list" });
  assert.doesNotMatch(text, /The person/);
  assert.ok((await chrome.pages()).some(({ id, url }) => id === persons.id && url === persons.url));
});

test("a page that was left is gone for good, as in a browser of the worker's own", async () => {
  await using session = worker.session();
  const text = await session.open(`${page}?cart=1`);
  await session.do("browser_click", { ref: refOf(text, '"Buy"') });
  await session.open(site.page("<h1>Other</h1>"));
  const { text: back } = await session.do("browser_navigate_back");
  assert.match(back, /Status: 200/);
  assert.match(back, /button "Buy"/);
});

test("no window of a page has WebRTC, which would connect past the proxy", async () => {
  await using session = worker.session();
  const probe = `const inner = document.body.appendChild(document.createElement("iframe")).contentWindow;
    const popup = window.open("about:blank");
    this.textContent = [window, inner, popup].map((each) => typeof each.RTCPeerConnection + typeof each.webkitRTCPeerConnection)`;
  const text = await session.open(site.page(`<button onclick='${probe}'>Probe</button>`));
  await session.do("browser_click", { ref: refOf(text, '"Probe"') });
  const { text: found } = await session.do("browser_snapshot", { tab: "t1", full: true });
  assert.match(found, /button "undefinedundefined,undefinedundefined,undefinedundefined"/);
});

test("a worker that is killed leaves nothing, and the person's tab stays", async () => {
  const before = await urls();
  const other = await startWorker({ browser });
  const left = `${page}?cart=left`;
  await other.session().open(left);
  assert.ok((await urls()).includes(left));
  process.kill(other.pid, "SIGKILL");
  await other[Symbol.asyncDispose]();
  await chrome.shows(before);
  assert.ok(before.includes(persons.url));
});
