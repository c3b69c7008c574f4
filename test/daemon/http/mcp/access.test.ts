// Tokens, rates, profiles and limits hold for MCP by URL as for every other door.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { testDaemon } from "../../../harness/daemon.ts";
import { errorOf } from "../../../harness/mcp/mcp-process.ts";
import { shared } from "../../../harness/shared.ts";
import { ERAS, INITIALIZE, mcpUrl, newerHeaders, newerRequest, OLDER, olderRequest } from "./mcp-url.ts";

const token = (name: string, more: object = {}) => ({
  name,
  sha256: createHash("sha256").update(`${name}-token`).digest("hex"),
  ...more,
});
const ADA = token("ada");
const BOB = token("bob", { roles: ["two"], profiles: ["small"], rate: "4/m" });
const CONFIG = { roles: { one: { sessions: 50 }, two: { sessions: 50 } }, tokens: [ADA, BOB] };
const troupe = shared(await testDaemon(CONFIG));
const mcp = mcpUrl(troupe.daemon.http[0] ?? "", troupe.config.state.token);
const as = ({ name }: { name: string }) => ({ authorization: `Bearer ${name}-token` });
const STATE = { url: "http://do/state" };

async function begun(client: { name: string }): Promise<Record<string, string>> {
  const { headers, status } = await mcp.send(INITIALIZE, { headers: as(client) });
  assert.equal(status, 200);
  return {
    ...as(client),
    "mcp-session-id": String(headers["mcp-session-id"]),
    "mcp-protocol-version": OLDER,
  };
}

test("another client's Mcp-Session-Id finds no session", async () => {
  const headers = await begun(ADA);
  const list = olderRequest("tools/list");
  assert.equal((await mcp.send(list, { headers })).status, 200);
  for (const method of ["POST", "GET", "DELETE"]) {
    const body = method === "POST" ? list : "";
    assert.equal((await mcp.send(body, { method, headers: { ...headers, ...as(BOB) } })).status, 404);
  }
  assert.equal((await mcp.send(list, { headers })).status, 200);
});

for (const era of ERAS) {
  test(`${era}: a token's profiles and roles hold`, async () => {
    await using ada = await mcp.connect(era, { headers: as(ADA) });
    assert.equal((await ada.call("browser_navigate", STATE)).isError, undefined);
    await using bob = await mcp.connect(era, { headers: as(BOB) });
    assert.ok((await bob.list()).length <= 9);
    await assert.rejects(mcp.connect(era, { headers: as(BOB), query: "?profile=full" }));
    const denied = await bob.call("browser_navigate", { ...STATE, role: "one" });
    assert.equal(errorOf(denied).type, "PERMISSION_DENIED");
  });

  test(`${era}: two clients of one program name share nothing`, async () => {
    const query = `?session=same-${era}`;
    await using ada = await mcp.connect(era, { headers: as(ADA), query });
    await ada.call("browser_navigate", STATE);
    const { ok } = await troupe.ask("ListSessions", {});
    const owners = ok?.sessions.filter(({ id }) => id === `same-${era}`).map(({ client }) => client);
    assert.deepEqual(owners, ["ada"]);
  });
}

test("a token's rate holds, also for unknown tools", async () => {
  await using bob = await mcp.connect("newer", { headers: as(BOB) });
  const types = new Set<string | undefined>();
  for (let call = 0; call < 8; call++) types.add(errorOf(await bob.call("browser_clik", {}))?.type);
  assert.ok(types.has("BUSY"), [...types].join());
});

test("a removed token ends its open stream, and is refused", async () => {
  const headers = await begun(ADA);
  const stream = fetch(new URL("/mcp", troupe.daemon.http[0]), {
    headers: { ...headers, accept: "text/event-stream" },
  });
  const { body, status } = await stream;
  assert.equal(status, 200);
  troupe.reload({ ...CONFIG, tokens: [BOB] });
  await assert.rejects(async () => {
    for await (const _chunk of body ?? []);
  });
  assert.equal((await mcp.send(olderRequest("ping"), { headers })).status, 401);
  troupe.reload(CONFIG);
});

test("while the daemon drains, calls are refused with a plan", async () => {
  await using other = await testDaemon({ roles: { one: {} } });
  const url = mcpUrl(other.daemon.http[0] ?? "", other.config.state.token);
  await using client = await url.connect("older");
  other.daemon.drain();
  assert.equal(errorOf(await client.call("browser_navigate", STATE)).type, "DAEMON_DRAINING");
  const headers = newerHeaders("tools/call", "browser_clik");
  const { body } = await url.send(newerRequest("tools/call", { name: "browser_clik", arguments: {} }), {
    headers,
  });
  assert.match(body, /DAEMON_DRAINING/);
});
