// browser_steps over MCP: an order in the shop, and a worker that dies between two steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../proto/wire/struct.ts";
import { shared } from "../../harness/shared.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";
import { serveSite } from "../../site/serve.ts";

const troupe = shared(await startTroupe());

test("product 42 is put into the cart and ordered by one call on its page", async () => {
  await using agent = await troupe.agent("--role", "customer");
  const product = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/product/42` });
  const ordered = await agent.text("browser_steps", {
    steps: [
      { click: { ref: refOf(product, "button", "Add to cart") }, expectNavigation: true },
      { click: { ref: 'button "Check out"' } },
      { click: { ref: 'button "Place order"' }, expectNavigation: true },
    ],
    until: { text: "Thank you" },
  });
  assert.match(ordered, /^Steps done: 3 of 3\n1\. Clicked e\d+\n/);
  assert.match(ordered, /Thank you/);
});

test("kill -9 of the worker between two steps says that they may have been done, and how to go on", async () => {
  await using site = await serveSite();
  const did = site.hold();
  await using agent = await troupe.agent("--role", "visitor");
  const url = site.page(`<button onclick="fetch('${did.url}')">One</button><button>Two</button>`);
  const page = await agent.text("browser_navigate", { url });
  const steps: Json[] = [
    { click: { ref: refOf(page, "button", "One") } },
    { waitFor: { text: "never", time: 20 } },
    { click: { ref: refOf(page, "button", "Two") } },
  ];
  const call = agent.call("browser_steps", { steps });
  await did.asked();
  did.release();
  const worker = troupe
    .processes()
    .find(({ command }) => command.includes("worker/main.ts") && command.includes("visitor"));
  process.kill(worker?.pid ?? 0, "SIGKILL");
  const { error, text } = await call;
  assert.equal(error?.type, "WORKER_RESTARTED", text);
  assert.match(text, /may have/);
  assert.match(text, /1\. Call browser_snapshot\(\)/);
  assert.match(
    text,
    /browser_steps may have carried out some of its steps: go on after those that the page shows/,
  );
  const again = await agent.text("browser_snapshot");
  const rest = [{ click: { ref: refOf(again, "button", "Two") } }, { click: { ref: 'button "One"' } }];
  assert.match(await agent.text("browser_steps", { steps: rest }), /^Steps done: 2 of 2\n/);
});
