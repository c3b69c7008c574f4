// Programs at work. A logged-in customer orders from code, watches the page, and recovers from an error by its steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { anthropicTools } from "../../client/adapters/index.ts";
import { connect, TroupeError } from "../../client/sdk/index.ts";
import { CANDIDATE } from "../../proto/errors/catalogue.ts";
import { shared } from "../harness/shared.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";

const DEADLINE = { timeout: 60_000 };
const troupe = shared(await startTroupe());

test("a program orders as the customer, sees it happen, and finds the order as admin", DEADLINE, async () => {
  await using client = await connect({ address: troupe.address, role: "customer" });
  const { session } = client;
  const product = await session.navigate({ url: `${troupe.shopUrl}/product/42` });
  assert.deepEqual([product.status, product.page?.title], [200, "Linen Bowl · Harbour Goods"]);
  assert.equal(product.page?.role, "customer");

  const watch = session.watch();
  const first = (await watch.next()).value;
  assert.equal(first?.kind, "SNAPSHOT_KIND_FULL");
  assert.match(first?.text ?? "", /Add to cart/);
  const added = await session.click({ ref: refOf(product.text, "button", "Add to cart") });
  assert.equal(added.element?.name, "Add to cart");
  const cart = (await watch.next()).value;
  assert.match(cart?.page?.url ?? "", /\/cart$/);
  await watch.return();

  const dialog = await session.click({ ref: refOf(added.text, "button", "Check out") });
  const { text } = await session.click({ ref: refOf(dialog.text, "button", "Place order") });
  const number = /\b(10\d\d)\b/.exec(text)?.[1];
  assert.ok(number, text);
  const orders = await session.snapshot({ role: "admin", full: true, maxTokens: 0 });
  assert.match(orders.text, new RegExp(number));
});

test("executing an error's steps does what the call was meant to do", DEADLINE, async () => {
  await using client = await connect({ address: troupe.address, role: "visitor" });
  const { session } = client;
  const page = await session.navigate({ url: RERENDERING });
  const ref = refOf(page.text, "button", "Save");
  await session.click({ ref: refOf(page.text, "button", "Refresh") });
  const error = await session.click({ ref }).catch((caught: unknown) => caught);
  assert.ok(error instanceof TroupeError);
  assert.deepEqual([error.type, error.details.ref], ["STALE_REF", ref]);
  let last = "";
  for (const { tool, arguments: args } of error.steps) {
    if (!tool) continue;
    const meant = args?.ref === CANDIDATE ? { ...args, ref: error.candidates[0]?.ref ?? "" } : args;
    last = (await session.call(tool, meant)).text;
  }
  assert.match(last, /^Clicked e\d+ button "Save"[\s\S]*saved/);
});

test("a model's calls run in a vendor's form, a picture among them", DEADLINE, async () => {
  await using client = await connect({ address: troupe.address, role: "visitor" });
  const { tools, run } = anthropicTools(client.session);
  assert.ok(tools.some(({ name }) => name === "browser_take_screenshot"));
  const input = { url: `${troupe.shopUrl}/product/42` };
  const opened = await run({ id: "1", name: "browser_navigate", input });
  assert.equal(opened.is_error, false);
  const { content } = await run({ id: "2", name: "browser_take_screenshot", input: {} });
  assert.deepEqual(
    content.map(({ type }) => type),
    ["text", "image"],
  );
  const refused = await run({ id: "3", name: "browser_click", input: { ref: "e999" } });
  assert.equal(refused.is_error, true);
  const [said] = refused.content;
  assert.match(said?.type === "text" ? said.text : "", /^❌ [\s\S]*1\. Call browser_snapshot/);
});

/** A page that renders a part of itself anew: the same button, another element. */
const RERENDERING = `data:text/html,${encodeURIComponent(`<!doctype html><title>Notes</title>
<button onclick="notes.innerHTML = notes.innerHTML">Refresh</button><p id="said"></p>
<div id="notes"><button onclick="said.textContent = 'saved'">Save</button></div>`)}`;
