// Tests one session's requests with several holders: each request is answered once, and every holder goes on.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launchChrome, NO_WISHES } from "../../../worker/chrome/launch.ts";
import { loadWebStorage } from "../../../worker/storage/load-storage.ts";
import { pageScripts } from "../../../worker/tab/bridge-bundle.ts";
import { HttpCredentials, KnownCredentials } from "../../../worker/tab/http-credentials.ts";
import { Interception } from "../../../worker/tab/interception.ts";
import { serveSite } from "../../site/serve.ts";

const [chrome, { storage: script }, site] = await Promise.all([
  launchChrome(NO_WISHES),
  pageScripts(),
  serveSite(),
]);
after(async () => {
  await site[Symbol.asyncDispose]();
  await chrome.close();
});

async function openTab() {
  const context = await chrome.browser.createBrowserContext();
  const tab = await context.newPage();
  const client = await tab.createCDPSession();
  await client.send("Page.enable");
  const interception = new Interception(client);
  return { tab, client, interception, [Symbol.asyncDispose]: () => context.close() };
}

test("a login's storage is loaded without a request while an address's password keeps being sent", async () => {
  await using opened = await openTab();
  const { tab, client, interception } = opened;
  const seen: (string | undefined)[] = [];
  const url = site.route(({ url: path, headers: { authorization } }, response) => {
    if (path !== "/favicon.ico") seen.push(authorization);
    response.setHeader("content-type", "text/html");
    response.end("<h1>Open</h1>");
  });
  const credentials = new HttpCredentials(interception, new KnownCredentials(""));
  assert.equal(await credentials.takeFrom(url.replace("//", "//ada:x@")), url);
  const stored = { origin: site.origin, localStorage: [], sessionStorage: [], indexedDB: [] };
  const item = { name: "kept", value: "here" };
  const before = site.count(`${site.origin}/`);
  await loadWebStorage({
    tab: client,
    interception,
    origins: [{ ...stored, localStorage: [item] }],
    script,
  });
  assert.equal(site.count(`${site.origin}/`), before);
  await tab.goto(url);
  assert.equal(await tab.evaluate("localStorage.kept"), "here");
  const basic = `Basic ${Buffer.from("ada:x").toString("base64")}`;
  assert.deepEqual(seen, [basic]);
});

test("a held request whose holder has gone goes on", async () => {
  await using opened = await openTab();
  const { tab, interception } = opened;
  const url = site.page("<h1>Open</h1>");
  const pattern = { urlPattern: "*" };
  const first = await interception.hold({ patterns: [pattern], answer: () => undefined });
  await using second = await interception.hold({
    patterns: [pattern],
    // The later holder is asked first, and is gone before it has answered.
    answer: () => {
      void first.release();
      return undefined;
    },
  });
  assert.ok(second);
  await tab.goto(url);
  assert.equal(await tab.$eval("h1", ({ textContent }) => textContent), "Open");
});

test("an answer that Chrome rejects lets the request go on unchanged", async () => {
  await using opened = await openTab();
  const { tab, interception } = opened;
  await using held = await interception.hold({
    patterns: [{ urlPattern: "*" }],
    answer: () => ({ headers: [{ name: "broken name", value: "a\nb" }] }),
  });
  assert.ok(held);
  await tab.goto(site.page("<h1>Open</h1>"), { timeout: 5_000 });
  assert.equal(await tab.$eval("h1", ({ textContent }) => textContent), "Open");
});
