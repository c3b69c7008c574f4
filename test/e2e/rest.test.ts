// The main job over HTTP alone: a program works in a logged-in role, in real pages.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { restClient } from "../harness/rest.ts";
import { shared } from "../harness/shared.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";

const troupe = shared(await startTroupe());
const rest = restClient(troupe.http, path.join(troupe.stateDir, "token"));

/** Calls as the customer. */
const call = async (tool: string, args: object = {}) => {
  const { status, json } = await rest.call(tool, args, { headers: { "x-troupe-role": "customer" } });
  assert.equal(status, 200);
  return json;
};

test("product 42 goes into the cart, and an unknown ref's plan leads on", async () => {
  const url = `${troupe.shopUrl}/product/42`;
  const opened = await call("browser_navigate", { url });
  assert.deepEqual([opened.success, opened.data?.status, opened.data?.finalUrl], [true, 200, url]);
  assert.deepEqual([opened.page?.role, opened.page?.session, opened.page?.tab], ["customer", "rest", "t1"]);
  assert.match(opened.text, /Carla Customer|My account/);

  const ref = refOf(opened.text, "button", "Add to cart");
  const clicked = await call("browser_click", { ref });
  assert.deepEqual(clicked.data?.element, { ref, role: "button", name: "Add to cart", tag: "button" });
  assert.match(String(clicked.page?.url), /\/cart$/);

  const gone = await call("browser_click", { ref: "e999" });
  assert.deepEqual([gone.success, gone.error?.type], [false, "UNKNOWN_REF"]);
  const look = gone.error?.steps[0];
  assert.deepEqual([look?.tool, look?.arguments], ["browser_snapshot", { role: "customer" }]);
  assert.match(
    (await call("browser_snapshot", { ...look?.arguments, full: true })).text,
    /button "Check out" \[ref=e\d+\]/,
  );
});

test("a structural query's result is the data, even if it has found nothing", async () => {
  const { text } = await call("browser_navigate", { url: `${troupe.shopUrl}/` });
  const found = await call("resolve_container", { ref: refOf(text, "link", "Oak Kettle") });
  assert.ok(Array.isArray(found.data?.ancestors) && found.data.ancestors.length > 0);
  assert.equal("error" in found.data, false);
  const none = await call("resolve_container", { ref: "e999" });
  assert.deepEqual([none.success, none.data?.errorType, none.data?.ancestors], [true, "not_found", []]);
});

test("a picture is base64 in the data", async () => {
  const { data } = await call("browser_take_screenshot");
  assert.equal(data?.mimeType, "image/png");
  const bytes = Buffer.from(String(data?.image), "base64");
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
});

test("an agent over MCP continues in a program's session", async () => {
  const { page } = await call("browser_navigate", { url: `${troupe.shopUrl}/product/7` });
  await using agent = await troupe.agent("--session", "rest", "--role", "customer");
  assert.equal((await agent.call("browser_snapshot")).page?.url, page?.url);
});
