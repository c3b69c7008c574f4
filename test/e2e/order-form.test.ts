// An agent fills in a form with every kind of control, and a card in a frame of another site. The shop gets all of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { shared } from "../harness/shared.ts";
import { type Agent, refOf, startTroupe } from "../harness/troupe.ts";

const troupe = shared(await startTroupe());

/** Opens the form for an agent with a product in its cart. */
async function openForm(agent: Agent): Promise<string> {
  const product = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/product/42` });
  const cart = await agent.text("browser_click", { ref: refOf(product, "button", "Add to cart") });
  return await agent.text("browser_click", { ref: refOf(cart, "link", "Order with delivery and payment") });
}

/** An agent's actions on controls, by the words of their lines in the delivered page. */
function hands(agent: Agent, page: string) {
  const call = (tool: string, role: string, name: string, more: JsonObject = {}) =>
    agent.text(tool, { ref: refOf(page, role, name), ...more });
  return {
    type: (role: string, name: string, text: string) => call("browser_type", role, name, { text }),
    click: (role: string, name: string) => call("browser_click", role, name),
    select: (role: string, name: string, ...values: string[]) =>
      call("browser_select_option", role, name, { values }),
    press: (key: string) => agent.text("browser_press_key", { key }),
  };
}

async function fillIn(agent: Agent, page: string): Promise<void> {
  const { type, click, select, press } = hands(agent, page);
  await type("textbox", "Full name *", "Ada Agent");
  await type("textbox", "Email *", "ada@example.org");
  await type("textbox", "Phone", "+49 40 123");
  await type("textbox", "Order password *", "open sesame");
  await type("textbox", "Wish list", "https://example.org/ada");
  await type("textbox", "Address *", "1 Quay Street\n20457 Hamburg");
  await type("combobox", "Country *", "Denmark");
  await click("radio", "Express");
  await type("textbox", "Delivery date *", "2027-03-31");
  await type("textbox", "Delivery time", "14:30");
  const opened = await click("combobox", "Pick-up point");
  await agent.text("browser_click", { ref: refOf(opened, "option", "Old mill") });
  const more = await click("button", "More about the delivery");
  await agent.text("browser_type", {
    ref: refOf(more, "textbox", "Note to the courier"),
    text: "Ring twice",
  });
  await type("spinbutton", "Parcels *", "3");
  await select("combobox", "Packaging *", "Gift box");
  await select("listbox", "Extras", "Silk paper", "Wooden crate");
  await click("checkbox", "Wrap it as a present");
  await click("option", "Stars");
  await type("textbox", "Ribbon colour", "#FF8800");
  await type("slider", "Ribbon length", "120");
  await type("textbox", "Greeting", "Happy birthday, Bob!");
  await click("slider", "Tip");
  await press("Home");
  for (let percent = 0; percent < 7; percent++) await press("ArrowRight");
  await click("switch", "Text messages about the delivery");
}

async function payByCard(agent: Agent, page: string): Promise<string> {
  const { type, click } = hands(agent, page);
  assert.match(refOf(page, "textbox", "Card number"), /^f1_e\d+$/);
  await type("textbox", "Name on card", "Ada A. Agent");
  await type("textbox", "Card number", "4242 4242 4242 4242");
  await type("textbox", "Expires", "04/29");
  await type("textbox", "Security code", "123");
  return await click("button", "Use this card");
}

async function acceptTerms(agent: Agent, page: string): Promise<void> {
  const dialog = await agent.text("browser_click", { ref: refOf(page, "button", "Read the terms") });
  await agent.text("browser_click", { ref: refOf(dialog, "button", "Accept the terms") });
}

test("a form with every kind of control and a payment frame of another site is filled in and sent", async () => {
  await using agent = await troupe.agent("--role", "customer");
  const page = await openForm(agent);
  await fillIn(agent, page);
  assert.match(await payByCard(agent, page), /Card ending in 4242/);
  await acceptTerms(agent, page);

  const ordered = await agent.text("browser_click", { ref: refOf(page, "button", "Place order") });
  const number = /Your order (\d+) is placed/.exec(ordered)?.[1];
  assert.ok(number, ordered);
  for (const [label, value] of Object.entries({
    "Full name": "Ada Agent",
    Email: "ada@example.org",
    Phone: "+49 40 123",
    "Order password": "11 characters",
    "Wish list": "https://example.org/ada",
    Address: "1 Quay Street 20457 Hamburg",
    Country: "Denmark",
    Delivery: "Express",
    "Delivery date": "2027-03-31",
    "Delivery time": "14:30",
    "Pick-up point": "Old mill",
    "Note to the courier": "Ring twice",
    Parcels: "3",
    Packaging: "Gift box",
    Extras: "Silk paper, Wooden crate",
    "Wrapped as a present": "yes",
    Paper: "Stars",
    "Ribbon colour": "#ff8800",
    "Ribbon length": "120 cm",
    Greeting: "Happy birthday, Bob!",
    "Text messages": "yes",
    Tip: "7 %",
    Terms: "accepted",
    Card: "Ada A. Agent, ending in 4242, expires 04/29",
  })) {
    const entry = [value, JSON.stringify(value)].map((text) => `- term: ${label}\n  - definition: ${text}\n`);
    assert.ok(
      entry.some((each) => ordered.includes(each)),
      `${label} is not ${value} in:\n${ordered}`,
    );
  }
  const orders = await agent.text("browser_snapshot", { role: "admin", full: true });
  assert.match(orders, new RegExp(`rowheader: ${number}`));
});

test("the form names what it lacks and keeps what was filled in; starting over empties it", async () => {
  await using agent = await troupe.agent("--role", "customer");
  const page = await openForm(agent);
  await fillIn(agent, page);
  const refused = await agent.text("browser_click", { ref: refOf(page, "button", "Place order") });
  assert.match(refused, /Please enter a card first/);
  const { click, type } = hands(agent, page);
  await type("textbox", "Card number", "4242");
  await type("textbox", "Name on card", "Ada");
  await type("textbox", "Expires", "13/29");
  await type("textbox", "Security code", "123");
  assert.match(await click("button", "Use this card"), /The card number must have 12 to 19 digits/);

  await click("button", "Start over");
  const emptied = await agent.text("browser_snapshot", { full: true });
  assert.match(emptied, /textbox "Email \*" \[required\] \[ref=e\d+\] \[placeholder=you@example\.org\]\n/);
  assert.match(emptied, /combobox "Pick-up point" .*: None/);
  assert.match(emptied, /option "Plain" \[selected\]/);
  assert.match(emptied, /slider "Tip" .*: 5 %/);
  assert.doesNotMatch(
    emptied,
    /Happy birthday|Ada Agent|2027|"Silk paper" \[selected\]|switch .*\[checked\]/,
  );
});
