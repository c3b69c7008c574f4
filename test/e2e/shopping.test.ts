// The main job: an agent works in two logged-in roles at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CANDIDATE } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { orderLinenBowl } from "../harness/order-product.ts";
import { shared } from "../harness/shared.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";

const troupe = shared(await startTroupe());

test("the customer puts product 42 into the cart and orders it; the admin sees the order", async () => {
  await using agent = await troupe.agent();
  const number = await orderLinenBowl((tool, args) => agent.text(tool, args), troupe.shopUrl);
  const orders = await agent.text("browser_snapshot", { role: "admin", full: true, maxTokens: 0 });
  assert.match(orders, new RegExp(`${number}[\\s\\S]*Carla Customer|Carla Customer[\\s\\S]*${number}`));
});

test("a logged-in role first opens the shop's front page, whose fields have listeners", async () => {
  await using agent = await troupe.agent("--role", "customer");
  const page = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
  assert.match(page, /checkbox "In stock only" \[ref=e\d+\]/);
});

test("a role sees neither the pages nor the login of another", async () => {
  await using agent = await troupe.agent();
  const [visitor, customer, admin] = [
    await agent.text("browser_snapshot", { role: "visitor" }),
    await agent.text("browser_snapshot", { role: "customer" }),
    await agent.text("browser_snapshot", { role: "admin" }),
  ];
  assert.match(visitor, /link "Log in"/);
  assert.match(customer, /Hello, Carla Customer/);
  assert.match(admin, /Adam|Orders/);
  assert.doesNotMatch(customer, /Adam Admin/);
});

test("localStorage of the login is there before the first page loads", async () => {
  await using agent = await troupe.agent();
  assert.match(await agent.text("browser_snapshot", { role: "customer" }), /option "USD" \[selected\]/);
  assert.match(
    await agent.text("browser_snapshot", { role: "admin" }),
    /option "GBP" \[selected\]|combobox "Currency"/,
  );
});

test("two sessions of a role see neither each other's cookies nor tabs nor refs", async () => {
  await using one = await troupe.agent("--role", "visitor");
  await using other = await troupe.agent("--role", "visitor");
  const page = await one.text("browser_navigate", { url: `${troupe.shopUrl}/product/7` });
  await one.text("browser_click", { ref: refOf(page, "button", "Add to cart") });
  assert.match(await one.text("browser_navigate", { url: `${troupe.shopUrl}/cart` }), /Cart \(1\)/);
  assert.match(await other.text("browser_navigate", { url: `${troupe.shopUrl}/cart` }), /Cart \(0\)/);
  assert.equal((await other.text("browser_tabs", { action: "list" })).split("\n").length, 1);
  const foreign = await (await troupe.agent("--role", "visitor")).call("browser_click", {
    ref: refOf(page, "button", "Add to cart"),
  });
  assert.equal(foreign.error?.type, "UNKNOWN_REF");
});

test("select_role changes the role of calls that name none; an unknown role gets the nearest", async () => {
  await using agent = await troupe.agent();
  await agent.text("select_role", { role: "customer" });
  assert.match(await agent.text("browser_snapshot"), /Hello, Carla Customer/);
  const wrong = await agent.call("select_role", { role: "costumer" });
  assert.equal(wrong.error?.type, "UNKNOWN_ROLE");
  assert.match(wrong.text, /select_role\(role: "customer"\)/);
  assert.match(await agent.text("list_current_roles"), /customer \(current\)/);
});

test("an agent that follows a stale ref's plan to the letter gets its click done", async () => {
  await using agent = await troupe.agent("--role", "visitor");
  const page = await agent.text("browser_navigate", { url: RERENDERING });
  const ref = refOf(page, "button", "Save");
  await agent.text("browser_click", { ref: refOf(page, "button", "Refresh") });
  const failed = await agent.call("browser_click", { ref });
  assert.equal(failed.error?.type, "STALE_REF");
  for (const part of [
    "❌ Stale Element Reference",
    `Element: ${ref}`,
    "Type: button",
    "Tag: <button>",
    "Possible causes:",
    "Likely the same element now: ",
    "🔧 Action Required:",
    "1. Call browser_snapshot()",
  ]) {
    assert.ok(failed.text.includes(part), failed.text);
  }
  let newest = "";
  let last = failed;
  for (const step of failed.error?.steps ?? []) {
    if (!step.tool) continue;
    const args = { ...step.arguments };
    if (args.ref === CANDIDATE)
      args.ref =
        failed.error?.candidates[0]?.ref ?? refOf(newest, "button", String(failed.error?.details.name));
    last = await agent.call(step.tool, step.tool === "browser_snapshot" ? { ...args, full: true } : args);
    newest = last.text;
  }
  assert.ok(!last.isError, last.text);
  assert.match(last.text, /^Clicked e\d+ button "Save"[\s\S]*saved/);
});

/** A page that renders a part of itself anew, as frameworks do: the same button, another element. */
const RERENDERING = `data:text/html,${encodeURIComponent(`<!doctype html><title>Notes</title>
<button onclick="notes.innerHTML = notes.innerHTML">Refresh</button><p id="said"></p>
<div id="notes"><button onclick="said.textContent = 'saved'">Save</button></div>`)}`;

test("a call that names its role is sent to no other role, and a ref is looked for only where it may be meant", async () => {
  await using agent = await troupe.agent();
  const customer = (url: string) =>
    agent.text("browser_navigate", { url: `${troupe.shopUrl}${url}`, role: "customer" });
  const ref = refOf(await customer("/product/42"), "button", "Add to cart");
  // Among the orders another element has the same ref.
  const orders = await agent.text("browser_snapshot", { role: "admin", full: true, maxTokens: 0 });
  assert.match(orders, new RegExp(`\\[ref=${ref}\\]`));
  await customer("/cart");
  const toldOf = async (tool: string, args: JsonObject) => (await agent.call(tool, args)).error;

  const named = await toldOf("browser_click", { ref, role: "customer" });
  assert.equal(named?.details.name, "Add to cart");
  assert.deepEqual(
    [named?.steps[0]?.tool, named?.steps[0]?.arguments?.role],
    ["browser_snapshot", "customer"],
  );

  await agent.text("select_role", { role: "customer" });
  const unnamed = await toldOf("browser_click", { ref });
  assert.deepEqual(
    unnamed?.steps.map(({ arguments: args }) => args?.role).filter((role) => role === "admin"),
    [],
  );

  await agent.text("browser_snapshot", { role: "visitor" });
  const never = await toldOf("browser_type", { ref: "e999", text: "Tea", role: "visitor" });
  assert.deepEqual(
    [never?.steps[0]?.tool, never?.steps[0]?.arguments?.role],
    ["browser_snapshot", "visitor"],
  );
});
