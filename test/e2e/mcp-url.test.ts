// The main job over a URL: each call is a connection of its own, as from clients that keep none.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { ERAS, mcpUrl, type UrlOptions } from "../daemon/http/mcp/mcp-url.ts";
import { textOf } from "../harness/mcp/mcp-process.ts";
import { orderLinenBowl } from "../harness/order-product.ts";
import { shared } from "../harness/shared.ts";
import { startTroupe } from "../harness/troupe.ts";

const troupe = shared(await startTroupe());
const mcp = mcpUrl(troupe.http, path.join(troupe.stateDir, "token"));

for (const era of ERAS) {
  // The newer era finds a program's session by its name; the older one's clients name theirs.
  const options: UrlOptions = era === "newer" ? { name: "walker" } : { query: "?session=walker-older" };
  const call = async (tool: string, args: JsonObject): Promise<string> => {
    await using client = await mcp.connect(era, options);
    const result = await client.call(tool, args);
    assert.equal(result.isError, undefined, textOf(result));
    return textOf(result);
  };

  test(`${era}: the customer orders product 42, and the admin sees the order`, async () => {
    const number = await orderLinenBowl(call, troupe.shopUrl);
    const orders = await call("browser_snapshot", { role: "admin", full: true, maxTokens: 0 });
    assert.match(orders, new RegExp(number));
  });

  test(`${era}: two agents of one program keep their pages apart`, async () => {
    const pages: [session: string, product: number][] = [
      ["ada", 7],
      ["bob", 42],
    ];
    for (const [session, product] of pages)
      await call("browser_navigate", {
        url: `${troupe.shopUrl}/product/${product}`,
        session,
        role: "visitor",
      });
    for (const [session, product] of pages) {
      const tabs = await call("browser_tabs", { action: "list", session, role: "visitor" });
      assert.match(tabs, new RegExp(`/product/${product}$`, "m"));
    }
  });
}

test("older: the first snapshot of a new connection is whole, also in a session that saw the page", async () => {
  const read = async (times: number): Promise<string[]> => {
    await using client = await mcp.connect("older", { query: "?session=reader&role=visitor" });
    const texts: string[] = [];
    for (let time = 0; time < times; time++) texts.push(textOf(await client.call("browser_snapshot")));
    return texts;
  };
  const [first, second] = await read(2);
  assert.match(first ?? "", /link "Log in"/);
  assert.match(second ?? "", /unchanged since snapshot/);
  assert.match((await read(1))[0] ?? "", /link "Log in"/);
});
