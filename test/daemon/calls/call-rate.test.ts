// Calls that count against a client's rate, and their records.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PROFILE, RESUME } from "../../../proto/wire/metadata.ts";
import { testClient, testDaemon } from "../../harness/daemon.ts";
import { sha256 } from "../../harness/tokens.ts";

const TOKEN = "a-token-with-a-rate";

/** A daemon, and a client that may make two calls in an hour. `call` returns the outcome of each. */
async function rated() {
  const digest = sha256(TOKEN);
  const daemon = await testDaemon({
    listen: ["unix:default", "127.0.0.1:0"],
    roles: { one: {} },
    tokens: [{ name: "slow", sha256: digest, roles: ["one"], profiles: ["small"], rate: "2/h" }],
  });
  const client = testClient(daemon.daemon.addresses[1] ?? "");
  return {
    async call(
      given: Record<string, string> = {},
      rpc: "SelectRole" | "GetFailures" = "SelectRole",
      session = "s1",
    ) {
      const headers = { authorization: `Bearer ${TOKEN}`, ...given };
      const { error } = await client.tool(rpc, { role: "one" }, { headers, session });
      return error?.type ?? "OK";
    },
    /** Makes the same call in that session several times. */
    async callIn(session: string, times = 1) {
      for (let each = 0; each < times; each++) await this.call({}, "SelectRole", session);
    },
    /** Returns the outcomes of the journal's calls, of all sessions or one. */
    async written(session?: string) {
      const { ok } = await daemon.ask("ListCalls", session === undefined ? {} : { session });
      return ok?.calls.map(({ outcome }) => outcome);
    },
    /** Returns the number of log lines for calls of the session. */
    logged: (session: string) =>
      daemon.lines
        .map((line) => JSON.parse(line))
        .filter((line) => line.msg === "call" && line.session === session).length,
    /** Returns the number of episodes that ended as repeated, from the journal. */
    async repeated() {
      const { ok } = await daemon.ask("GetStatus", {});
      return ok?.recovery.find(({ type }) => type === "BUSY")?.repeated;
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

test("the first two rate-limited calls in a row are recorded, and all are counted", async () => {
  await using slow = await rated();
  for (let each = 0; each < 8; each++) await slow.call();
  assert.deepEqual(await slow.written(), ["OK", "OK", "BUSY", "BUSY"]);
  assert.match(
    await slow.metrics(),
    /^troupe_calls_total\{tool="select_role",.*code="RESOURCE_EXHAUSTED"\} 6$/m,
  );
});

test("a rate-limited session is recorded, whatever another session has done", async () => {
  await using team = await rated();
  await team.callIn("hasty", 1);
  await team.callIn("patient", 1);
  await team.callIn("hasty", 5);
  await team.callIn("patient", 1);
  assert.deepEqual(await team.written("patient"), ["OK", "BUSY"]);
  assert.equal(team.logged("patient"), 2);
  await team.callIn("patient", 1);
  assert.match(await team.metrics(), repeatedTimes(5), "its own, after four of the other session's");
});

test("all rate-limited calls count in episodes, but episodes of such calls alone are not recorded", async () => {
  await using slow = await rated();
  await slow.callIn("s1", 22);
  assert.match(await slow.metrics(), repeatedTimes(20 - 1));
  assert.equal(await slow.repeated(), 2);
});

function repeatedTimes(count: number): RegExp {
  return new RegExp(`^troupe_error_episodes_total\\{type="BUSY",.*outcome="repeated"\\} ${count}$`, "m");
}
