// Tests a tab that gets its origin's storage on its way to an address. The page must not notice.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launchChrome, NO_WISHES } from "../../../worker/chrome/launch.ts";
import { loadWebStorage } from "../../../worker/storage/load-storage.ts";
import type { StoredOrigin } from "../../../worker/storage/storage-state.ts";
import { pageScripts } from "../../../worker/tab/bridge-bundle.ts";
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

/** Shows what its first script finds. */
const page = site.page(
  "<p></p><script>document.querySelector('p').textContent = localStorage.kept + ' ' + sessionStorage.own</script>",
);

async function openTab() {
  const context = await chrome.browser.createBrowserContext();
  const tab = await context.newPage();
  const client = await tab.createCDPSession();
  await client.send("Page.enable");
  const reload = () => Promise.all([tab.waitForNavigation(), client.send("Page.reload")]);
  return { tab, client, reload, [Symbol.asyncDispose]: () => context.close() };
}

const stored = (origin: string): StoredOrigin => ({
  origin,
  localStorage: [{ name: "kept", value: "as it was" }],
  sessionStorage: [{ name: "own", value: "too" }],
  indexedDB: [],
});

test("the address is requested once, its first script finds the storage, and there is no history", async () => {
  await using opened = await openTab();
  const { tab, client, reload } = opened;
  const url = `${page}?at=1#below`;
  const origins = [stored(site.origin), stored("https://shop.example")];
  assert.equal(await loadWebStorage({ tab: client, origins, script, url }), true);
  assert.equal(site.count(page), 0);
  await reload();
  assert.equal(await tab.$eval("p", ({ textContent }) => textContent), "as it was too");
  assert.equal(tab.url(), url);
  assert.equal(site.count(page), 1);
  const { entries } = await client.send("Page.getNavigationHistory");
  assert.deepEqual(
    entries.map((entry) => entry.url),
    [url],
  );
});

test("a tab is left empty if its origin has no storage, or if an origin refuses its own", async () => {
  await using opened = await openTab();
  const { tab, client } = opened;
  const others = [stored("https://shop.example")];
  assert.equal(await loadWebStorage({ tab: client, origins: others, script, url: page }), false);
  assert.equal(tab.url(), "about:blank");
  const large = { ...stored(site.origin), localStorage: [{ name: "large", value: "x".repeat(11 << 20) }] };
  await assert.rejects(loadWebStorage({ tab: client, origins: [large], script, url: page }), /refused/);
  assert.equal(tab.url(), "about:blank");
});
