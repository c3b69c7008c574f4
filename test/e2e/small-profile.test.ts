// A small local model has nine tools, flat arguments and short replies. It does its work with nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CANDIDATE, type ErrorDetail } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { shared } from "../harness/shared.ts";
import { type Reply, refOf, startTroupe } from "../harness/troupe.ts";

const troupe = shared(await startTroupe());
const agent = await troupe.agent("--profile", "small", "--role", "visitor");
/** Each tool's arguments, as in tools/list. */
const tools = new Map(
  (await agent.client.listTools()).tools.map(({ name, inputSchema: { properties = {}, required = [] } }) => [
    name,
    { properties: properties as Record<string, { type: string }>, required },
  ]),
);

/** Makes a call as a model does whose grammar has only the listed tools and arguments. */
async function call(tool: string, args: JsonObject = {}): Promise<Reply> {
  const schema = tools.get(tool) ?? assert.fail(`${tool} is not there`);
  for (const [name, value] of Object.entries(args)) {
    const type = schema.properties[name]?.type ?? assert.fail(`${tool} has no ${name}`);
    assert.equal(type === "integer" ? "number" : type, typeof value, `${tool}.${name}`);
  }
  for (const name of schema.required) assert.ok(name in args, `${tool} needs ${name}`);
  return await agent.call(tool, args);
}

async function done(tool: string, args?: JsonObject): Promise<string> {
  const reply = await call(tool, args);
  assert.ok(!reply.isError, reply.text);
  return reply.text;
}

/** Follows a plan's steps in order, and returns the last reply. */
async function follow({ steps, candidates }: ErrorDetail): Promise<Reply> {
  let last: Reply | undefined;
  for (const { tool, arguments: args } of steps) {
    if (tool === undefined) continue;
    const [meant] = candidates;
    last = await call(tool, args?.ref === CANDIDATE ? { ...args, ref: meant?.ref ?? assert.fail() } : args);
  }
  return last ?? assert.fail("no step has a tool");
}

test("tools/list has at most nine tools in 4,000 bytes, with flat arguments", async () => {
  const list = await agent.client.listTools();
  assert.ok(list.tools.length <= 9);
  assert.ok(Buffer.byteLength(JSON.stringify(list)) <= 4000);
  for (const { properties } of tools.values())
    for (const { type } of Object.values(properties)) assert.match(type, /^(?:string|integer|boolean)$/);
});

test("an agent logs in to the shop, puts something into the cart and orders it", async () => {
  let page = await done("browser_navigate", { url: `${troupe.shopUrl}/login` });
  await done("browser_type", { ref: refOf(page, "textbox", "User name"), text: "customer" });
  page = await done("browser_type", {
    ref: refOf(page, "textbox", "Password"),
    text: "customer-demo",
    submit: true,
  });
  assert.match(page, /Hello, Carla Customer/);
  page = await done("browser_navigate", { url: `${troupe.shopUrl}/product/42` });
  page = await done("browser_click", { ref: refOf(page, "button", "Add to cart") });
  page = await done("browser_click", { ref: refOf(page, "button", "Check out") });
  page = await done("browser_click", { ref: refOf(page, "button", "Place order") });
  assert.match(page, /Your order 10\d\d is placed/);
});

test("the plans alone solve a stale ref, a misspelt role, a foreign tool and a select", async () => {
  const page = await done("browser_navigate", { url: RERENDERING });
  const ref = refOf(page, "button", "Save");
  await done("browser_click", { ref: refOf(page, "button", "Refresh") });
  const stale = await call("browser_click", { ref });
  assert.equal(stale.error?.type, "STALE_REF");
  assert.match((await follow(stale.error)).text, /^Clicked e\d+ button "Save"[\s\S]*saved/);

  const misspelt = await call("select_role", { role: "Costumer" });
  assert.match(misspelt.text, /The roles are: visitor, customer, admin/);
  assert.match((await follow(misspelt.error ?? assert.fail())).text, /Current role: customer/);
  await done("select_role", { role: "visitor" });

  // No grammar restricts a model's prose, so it may name a tool of another server.
  const foreign = await agent.call("take_snapshot", { pageId: 1 });
  assert.match((await follow(foreign.error ?? assert.fail())).text, /button "Save"/);
  const colour = refOf(await done("browser_snapshot", { full: true }), "combobox", "Colour");
  const lacking = await agent.call("browser_select_option", { ref: colour, values: ["Green"] });
  assert.match(lacking.text, /part of the core profile/);
  assert.match((await follow(lacking.error ?? assert.fail())).text, /Green/);
});

test("every tool shows a long page in some 1,500 tokens, and names only this profile's tools", async () => {
  const long = await done("browser_navigate", { url: LONG });
  assert.ok(long.length <= 3000, `${long.length}: a navigation takes half`);
  const again = await done("browser_snapshot", { full: true });
  for (const text of [long, again]) {
    assert.ok(text.length <= 6000, `${text.length}`);
    assert.match(text, /left out: browser_find finds in all of them|expand with browser_snapshot/);
    for (const [name] of text.matchAll(/\b(?:browser_[a-z_]+|get_failures|depth|maxTokens)\b/g))
      assert.ok(tools.has(name), name);
  }
  assert.match(await done("browser_find", { text: "Chapter 199" }), /Chapter 199/);
});

test("a tab that a page opens is described in words, and used by its id", async () => {
  const page = await done("browser_navigate", {
    url: `data:text/html,<a href="about:blank" target="_blank">Out</a>`,
  });
  const { page: first } = await call("browser_snapshot");
  const opened = await done("browser_click", { ref: refOf(page, "link", "Out") });
  assert.doesNotMatch(opened, /browser_tabs/);
  const back = await call("browser_snapshot", { tab: first?.tab ?? assert.fail(), full: true });
  assert.match(back.text, /link "Out"/);
  const unknown = await call("browser_snapshot", { tab: "t99" });
  assert.equal(unknown.error?.type, "UNKNOWN_TAB");
  assert.match(unknown.text, /1\. The open tabs are: t\d/);
});

/** A page that renders a part of itself anew, as frameworks do: the same button, another element. */
const RERENDERING = `data:text/html,${encodeURIComponent(`<!doctype html><title>Notes</title>
<button onclick="notes.innerHTML = notes.innerHTML">Refresh</button><p id="said"></p>
<label>Colour <select><option>Red</option><option>Green</option></select></label>
<div id="notes"><button onclick="said.textContent = 'saved'">Save</button></div>`)}`;

const LONG = `data:text/html,${encodeURIComponent(
  `<!doctype html><title>Book</title>${Array.from({ length: 200 }, (_, index) => `<h2>Chapter ${index}</h2><p>${"It was told at length. ".repeat(2)}</p><button>Read ${index}</button>`).join("")}`,
)}`;
