// Tests the tools of what a developer sees through daemon and MCP, in the profile that has them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toolList } from "../../../proto/tools/tool-list.ts";
import { shared } from "../../harness/shared.ts";
import { startTroupe } from "../../harness/troupe.ts";

const troupe = shared(await startTroupe({ roles: { scripts: { evaluate: true } } }));

test("a developer's tools work over MCP in the profile full, and each role has its own rights", async () => {
  await using agent = await troupe.agent("--role", "scripts", "--profile", "full");
  await agent.text("browser_navigate", { url: troupe.shopUrl });
  assert.match(
    await agent.text("browser_network_requests"),
    /^Navigation:\nr\d+ GET http\S+ 200 document html/,
  );
  assert.match(
    await agent.text("browser_network_request", { id: "r1" }),
    /Response body \([^)]*\):\n> <!doctype html>/i,
  );
  assert.match(
    await agent.text("browser_evaluate", { function: "() => 6 * 7" }),
    /in the page's words: 42\n/,
  );
  assert.match(await agent.text("browser_storage", { action: "list" }), /^Cookies for http/);
  assert.match(await agent.text("browser_read_text"), /^Page "[^"]*" http\S+ \(tab t1, role scripts\)\n\n> /);
  assert.match(await agent.text("webmcp", { action: "list" }), /^The page offers no tools/);
  const refused = await agent.call("browser_evaluate", { function: "1", role: "visitor" });
  assert.equal(refused.error?.type, "PERMISSION_DENIED");
  assert.match(refused.text, /roles\.visitor\.evaluate: true/);
});

test("a smaller profile names the profile that has such a tool", async () => {
  await using agent = await troupe.agent("--role", "scripts");
  const { error, text } = await agent.call("browser_network_requests");
  assert.equal(error?.type, "UNKNOWN_TOOL");
  assert.match(text, /part of the full profile/);
  assert.ok(!toolList("core").some(({ name }) => name === "browser_evaluate"));
});
