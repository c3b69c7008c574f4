// Tests that a reply comes once the action's requests have been answered, and that it names those that outlast it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";
import { ANSWER_MS, api, clicked, holds, later, page } from "./slow-pages.ts";

const { worker, site } = await stage();

test("a request whose address answers differently each time is waited for each time", async () => {
  let count = 0;
  const graphql = api(site, (body) => (body.includes("mutation") ? `${++count}` : `${count} in the cart`));
  const ask = (query: string) =>
    `fetch("${graphql}", { method: "POST", body: '${query}' }).then((r) => r.text())`;
  await holds(
    worker,
    page(site, `go.onclick = async () => { await ${ask("mutation")}; show(await ${ask("query")}) };`),
    /1 in the cart/,
    /2 in the cart/,
    /3 in the cart/,
    /4 in the cart/,
  );
});

test("an address that the page polls is waited for if an action asks for it", async () => {
  let count = 0;
  const orders = api(site, (body) => (body === "add" ? `${++count}` : `${count} orders`));
  await holds(
    worker,
    page(
      site,
      `setInterval(() => fetch("${orders}"), 200);
      go.onclick = async () => {
        await fetch("${orders}", { method: "POST", body: "add" });
        show(await (await fetch("${orders}")).text());
      };`,
    ),
    /1 orders/,
    /2 orders/,
    /3 orders/,
  );
});

test("a hanging request is named with its age, delays only one action, and its result shows later", async () => {
  await using session = worker.session();
  const held = site.hold();
  const path = new URL(held.url).pathname;
  const shown = await session.open(
    page(
      site,
      `let times = 0;
      go.onclick = () => { fetch("${held.url}?token=secret").then((r) => r.text()).then(show); go.title = ++times };`,
    ),
  );
  const first = await clicked(session, shown);
  assert.match(first, new RegExp(`still waiting for GET ${path}, 3\\.\\d s`));
  assert.doesNotMatch(first, /secret/);
  const began = performance.now();
  assert.match(await clicked(session, shown), /still waiting for GET/);
  const tookMs = performance.now() - began;
  assert.ok(tookMs < 2_900, `the second click took ${tookMs} ms`);
  held.release("<p>late</p>");
  assert.match((await session.do("browser_wait_for", { text: "late" })).text, /late/);
});

test("a poll that is held open does not delay actions on its page", async () => {
  await using session = worker.session();
  const held = site.hold();
  const shown = await session.open(
    page(
      site,
      `let cursor = 0;
      const poll = () => fetch("${held.url}?cursor=" + ++cursor).then(poll);
      poll();
      go.onclick = () => show("clicked");`,
    ),
  );
  const path = new URL(held.url).pathname;
  assert.match(shown, new RegExp(`still waiting for GET ${path}`));
  const began = performance.now();
  assert.match(await clicked(session, shown), /clicked/);
  assert.ok(performance.now() - began < 2_900);
  held.release("", {});
});

test("an address whose wait a dialog ended is waited for the next time", async () => {
  await using session = worker.session();
  let count = 0;
  const orders = site.route((_request, response) => {
    if (++count > 1) later(response, "the orders");
  });
  const shown = await session.open(
    page(
      site,
      `let times = 0;
      go.onclick = () => {
        fetch("${orders}?n=" + ++times).then((r) => r.text()).then(show);
        if (times === 1) confirm("Go on?");
      };`,
    ),
  );
  assert.match(await clicked(session, shown), /Go on\?/);
  const { text } = await session.do("browser_handle_dialog", { accept: true });
  assert.match(text, /still waiting for GET/);
  assert.match(await clicked(session, shown), /the orders/);
});

test("a request that was sent before a dialog is waited for by the dialog's answer", async () => {
  await using session = worker.session();
  const held = site.hold();
  const goesOn = site.route((_request, response) => {
    response.end();
    setTimeout(() => held.release("the orders"), 6 * ANSWER_MS).unref();
  });
  const shown = await session.open(
    page(
      site,
      `go.onclick = () => {
        fetch("${held.url}").then((r) => r.text()).then(show);
        confirm("Go on?");
        navigator.sendBeacon("${goesOn}");
      };`,
    ),
  );
  assert.match(await clicked(session, shown), /Go on\?/);
  const { text } = await session.do("browser_handle_dialog", { accept: true });
  assert.match(text, /the orders/);
});
