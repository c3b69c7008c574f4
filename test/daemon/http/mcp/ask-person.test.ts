// An agent asks for a person by MCP: the link is for the user of the client, where the client can show it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testDaemon } from "../../../harness/daemon.ts";
import { textOf } from "../../../harness/mcp/mcp-process.ts";
import { shared } from "../../../harness/shared.ts";
import { ERAS, mcpUrl, type UserDecision } from "./mcp-url.ts";

const TOOL = "browser_ask_person";
const WHY = "Enter the code from the phone";
const LINK = /https?:\/\/[\w.:]+\/takeover#[\w-]{22}\.[\w-]{43}/;
const troupe = shared(await testDaemon({ roles: { visitor: {} }, takeover: { ask: true } }));
const mcp = mcpUrl(troupe.daemon.http[0] ?? "", troupe.config.state.token);

for (const era of ERAS) {
  test(`${era}: the link is in the text for a client that shows no links`, async () => {
    await using client = await mcp.connect(era);
    assert.ok((await client.list()).some(({ name }) => name === TOOL));
    const text = textOf(await client.call(TOOL, { why: WHY }));
    assert.match(text, LINK);
    assert.match(text, /"Enter the code from the phone"/);
  });

  test(`${era}: a client that shows links shows it to its user, and the model reads the decision`, async () => {
    for (const [decision, words] of [
      ["accept", /The user has opened the link/],
      ["decline", /does not want to help/],
      ["cancel", /without an answer/],
    ] as const) {
      const shown: { url: string; message: string }[] = [];
      const opens = (link: { url: string; message: string }): UserDecision => {
        shown.push(link);
        return decision;
      };
      await using client = await mcp.connect(era, { opens });
      const text = textOf(await client.call(TOOL, { why: WHY }));
      assert.match(text, words);
      assert.doesNotMatch(text, /takeover#/);
      assert.equal(shown.length, 1);
      assert.match(shown[0]?.url ?? "", LINK);
      assert.match(shown[0]?.message ?? "", /Enter the code from the phone/);
    }
  });
}

test("profile core lists the tool only where it is configured, and takes its calls everywhere", async () => {
  await using plain = await testDaemon({ roles: { visitor: {} } });
  const door = mcpUrl(plain.daemon.http[0] ?? "", plain.config.state.token);
  await using core = await door.connect("newer");
  assert.ok(!(await core.list()).some(({ name }) => name === TOOL));
  assert.match(textOf(await core.call(TOOL, { why: WHY })), LINK);
  await using full = await door.connect("newer", { query: "?profile=full" });
  assert.ok((await full.list()).some(({ name }) => name === TOOL));
});

test("without an HTTP door no person can come, and the error says how the door is opened", async () => {
  for (const closed of [{ http: "off" }, { http: "off", takeover: { url: "https://troupe.example" } }]) {
    await using troupe = await testDaemon({ roles: { visitor: {} }, ...closed });
    await troupe.open("http://a.test/");
    const asked = await troupe.tool("AskPerson", { why: WHY }, { session: "s1", role: "visitor" });
    const taken = await troupe.ask("TakeOver", { session: "s1" });
    for (const { error } of [asked, taken]) {
      assert.equal(error?.type, "PERMISSION_DENIED");
      assert.match(error.message, /HTTP door is off/);
      const plan = JSON.stringify([error.causes, error.steps]);
      assert.match(plan, /http: off/);
      assert.match(plan, /set http: 127\.0\.0\.1:7421, and restart the daemon/);
      assert.doesNotMatch(plan, /right|allow/);
    }
  }
});
