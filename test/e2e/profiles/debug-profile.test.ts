// A recorded session: an agent finds a bug of the shop by its console, its requests and the debugger.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { shared } from "../../harness/shared.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";

/** The shop sends the product's id; the bug sends its name instead. */
const RIGHT = "body: JSON.stringify({ product, quantity: 1 })";
const WRONG = "body: JSON.stringify({ product: name, quantity: 1 })";

const troupe = shared(await startTroupe({ roles: { tester: { debugger: true }, plain: {} } }));
const shop = shared(await withBug(troupe.shopUrl));

test("an agent finds by console, requests and debugger why a product does not get into the cart", async () => {
  await using agent = await troupe.agent("--profile", "debug", "--role", "tester");
  const page = await agent.text("browser_navigate", { url: `${shop.url}/` });
  const button = refOf(page, "button", "Add Linen Bowl to cart");
  const clicked = await agent.text("browser_click", { ref: button });
  assert.doesNotMatch(clicked, /Cart \(1\)/);

  const log = await agent.text("browser_console_messages", { level: "error" });
  assert.match(log, /status of 4\d\d/);

  const requests = await agent.text("browser_network_requests", { filter: "api/cart", status: "4xx" });
  assert.match(requests, /POST .*\/api\/cart/);
  const [id] = /\br\d+\b/.exec(requests) ?? [];
  const sent = await agent.text("browser_network_request", { id: String(id), part: "request" });
  assert.match(sent, /"product":"Linen Bowl"/);

  await agent.text("debugger_enable");
  const line = shop.script.split("\n").findIndex((each) => each.includes('await fetch("/api/cart"')) + 1;
  const set = await agent.text("debugger_breakpoint", { action: "set", url: "shop.js", line });
  assert.match(set, /^Set breakpoint b1 at shop\.js:\d+\nIt is at \S+\/shop\.js:\d+:\d+\.$/m);
  const paused = await agent.text("browser_click", { ref: button });
  assert.match(paused, /Paused at shop\.js:\d+ in addToCart \(breakpoint b1\)/);

  const stack = await agent.text("debugger_call_stack");
  assert.ok(stack.includes(WRONG), stack);
  assert.match(stack, /\n {2}product = 42\n {2}name = "Linen Bowl"\n/);
  assert.equal(await agent.text("debugger_evaluate", { expression: "product" }), "42");
  const refused = await agent.call("browser_snapshot");
  assert.equal(refused.error?.type, "EXECUTION_PAUSED");
  assert.equal(refused.error?.steps[0]?.tool, "debugger_execution");
  await agent.text("debugger_breakpoint", { action: "remove", id: "b1" });
  await agent.text("debugger_execution", { action: "resume" });
});

test("a profile without the debugger's tools refuses them, and so does a role that does not allow it", async () => {
  await using full = await troupe.agent("--profile", "full", "--role", "tester");
  const unknown = await full.call("debugger_enable");
  assert.equal(unknown.error?.type, "UNKNOWN_TOOL");
  assert.match(unknown.text, /debug/);
  await using plain = await troupe.agent("--profile", "debug", "--role", "plain");
  const denied = await plain.call("debugger_enable");
  assert.equal(denied.error?.type, "PERMISSION_DENIED");
  assert.match(denied.text, /roles\.plain\.debugger: true/);
});

/** Serves the shop with the bug in its script. */
async function withBug(shopUrl: string): Promise<AsyncDisposable & { url: string; script: string }> {
  const script = (await (await fetch(`${shopUrl}/shop.js`)).text()).replace(RIGHT, WRONG);
  assert.ok(script.includes(WRONG));
  const server = createServer((request, response) => {
    if (request.url === "/shop.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script);
      return;
    }
    void forward(request, shopUrl).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.writeHead(502).end(),
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    script,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function forward(request: import("node:http").IncomingMessage, shopUrl: string) {
  const { method = "GET", url = "/", headers } = request;
  const asked = Object.fromEntries(
    ["content-type", "cookie", "accept"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
  const body = method === "GET" || method === "HEAD" ? undefined : await text(request);
  const answer = await fetch(shopUrl + url, {
    method,
    headers: asked,
    redirect: "manual",
    ...(body !== undefined && { body }),
  });
  const kept = ["content-type", "location", "set-cookie"].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(kept),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
