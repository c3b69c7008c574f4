// The acting tools of the profile full over MCP, among them a client's own end of its session.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shared } from "../../harness/shared.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";

const troupe = shared(await startTroupe());

test("a client that closes its session goes on with a new one in its role, and other agents stay", async () => {
  await using agent = await troupe.agent("--profile", "full", "--role", "visitor");
  assert.match(await agent.text("get_current_role"), /^Current role: visitor$/);
  await agent.text("browser_navigate", { url: troupe.shopUrl });
  await agent.text("browser_navigate", { url: troupe.shopUrl, session: "other" });
  await agent.text("select_role", { role: "customer" });
  await agent.text("browser_navigate", { url: troupe.shopUrl });
  assert.equal(
    await agent.text("browser_close"),
    "Closed your tabs in all roles. The next call begins anew, in role customer.",
  );
  const tabs = await agent.call("browser_tabs", { action: "list" });
  assert.equal(tabs.error, undefined, tabs.text);
  assert.doesNotMatch(tabs.text, /t1/);
  assert.match(await agent.text("get_current_role"), /customer/);
  assert.match(await agent.text("browser_tabs", { action: "list", session: "other" }), /t1 \(current\) "/);
  await agent.text("browser_close", { session: "other" });
  await agent.text("browser_close");
  await agent.text("browser_close");
});

test("the pointer, the history and waits work at this door", async () => {
  await using agent = await troupe.agent("--profile", "full", "--role", "visitor");
  const page = await agent.text("browser_navigate", { url: troupe.shopUrl });
  assert.match(await agent.text("browser_initialize"), /^The browser of role visitor is ready\.\nPage /);
  assert.match(
    await agent.text("browser_hover", { ref: refOf(page, "link", "Steel Ladle") }),
    /^Pointed at e\d+ link/,
  );
  assert.match(await agent.text("browser_reload"), /^Reloaded /);
  assert.match(await agent.text("wait_for_browser", { milliseconds: 1 }), /^Waited \d+ ms\n/);
  const forward = await agent.call("browser_navigate_forward");
  assert.equal(forward.error?.type, "NO_HISTORY");
});
