// `troupe mcp --ask-person`: the agent can ask for a person.
import assert from "node:assert/strict";
import { test } from "node:test";
import { McpProcess, textOf } from "../../harness/mcp/mcp-process.ts";
import { StandIn } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const TOOL = "browser_ask_person";

for (const [how, args, env] of [
  ["--ask-person", ["--ask-person"], {}],
  ["TROUPE_ASK_PERSON", [], { TROUPE_ASK_PERSON: "1" }],
] as const)
  test(`with ${how} the tool is listed, and its reply holds the link`, DEADLINE, async () => {
    await using daemon = await StandIn.start({
      AskPerson: ({ request }) => ({ text: `Link for ${request.why}`, url: "http://127.0.0.1:1/takeover#x" }),
    });
    await using shim = await McpProcess.start(["--address", daemon.address, ...args], env);
    const { tools } = await shim.client.listTools();
    assert.ok(tools.some(({ name }) => name === TOOL));
    assert.equal(textOf(await shim.call(TOOL, { why: "a code" })), "Link for a code");
  });

test("without it, profile core does not list the tool, and profile full does", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  for (const [profile, isListed] of [
    ["core", false],
    ["full", true],
  ] as const) {
    await using shim = await McpProcess.start(["--address", daemon.address, "--profile", profile]);
    const { tools } = await shim.client.listTools();
    assert.equal(
      tools.some(({ name }) => name === TOOL),
      isListed,
      profile,
    );
  }
});
