// What counts against a client's rate, and what is written of it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { PROFILE, RESUME } from "../../../proto/metadata.ts";
import { testClient, testDaemon } from "../fixtures/daemon.ts";

const TOKEN = "a-token-with-a-rate";

/** A daemon, and the calls of a client that may make two in an hour: what each ended with. */
async function rated() {
  const sha256 = createHash("sha256").update(TOKEN).digest("hex");
  const daemon = await testDaemon({
    listen: ["unix:default", "127.0.0.1:0"],
    roles: { one: {} },
    tokens: [{ name: "slow", sha256, roles: ["one"], profiles: ["small"], rate: "2/h" }],
  });
  const client = testClient(daemon.daemon.addresses[1] ?? "");
  return {
    async call(given: Record<string, string> = {}, rpc: "SelectRole" | "GetFailures" = "SelectRole") {
      const headers = { authorization: `Bearer ${TOKEN}`, ...given };
      const { error } = await client.tool(rpc, { role: "one" }, { headers });
      return error?.type ?? "OK";
    },
    /** The outcomes of all calls that the journal has. */
    async written() {
      const { ok } = await daemon.ask("ListCalls", {});
      return ok?.calls.map(({ outcome }) => outcome);
    },
    async metrics() {
      const headers = { authorization: `Bearer ${TOKEN}` };
      return await (await fetch(`${daemon.daemon.http[0]}/metrics`, { headers })).text();
    },
    async [Symbol.asyncDispose]() {
      client.close();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

for (const [what, type, headers, rpc] of [
  ["a header that is not well formed", "INVALID_ARGUMENT", { [PROFILE]: "gigantic" }, "SelectRole"],
  ["a profile that is not the client's", "PERMISSION_DENIED", { [PROFILE]: "debug" }, "SelectRole"],
  ["a tool that is not the client's", "PERMISSION_DENIED", {}, "GetFailures"],
  ["a role that there is not", "UNKNOWN_ROLE", { "x-troupe-role": "nobody" }, "SelectRole"],
  ["a session that there is not", "SESSION_LOST", { [RESUME]: "1" }, "SelectRole"],
] as const)
  test(`calls that are refused for ${what} count against the client's rate`, async () => {
    await using slow = await rated();
    assert.equal(await slow.call(headers, rpc), type);
    assert.notEqual(await slow.call(headers, rpc), "BUSY");
    assert.equal(await slow.call(headers, rpc), "BUSY");
    assert.equal(await slow.call(), "BUSY");
  });

test("of calls that are refused for the rate, the first two in a row are written, and all are counted", async () => {
  await using slow = await rated();
  for (let each = 0; each < 8; each++) await slow.call();
  assert.deepEqual(await slow.written(), ["OK", "OK", "BUSY", "BUSY"]);
  assert.match(
    await slow.metrics(),
    /^troupe_calls_total\{tool="select_role",.*code="RESOURCE_EXHAUSTED"\} 6$/m,
  );
});
