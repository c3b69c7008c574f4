// Tokens, rates, profiles and limits hold for MCP by URL as for every other door.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorDetail } from "../../../../proto/errors/catalogue.ts";
import { testDaemon } from "../../../harness/daemon.ts";
import { errorOf } from "../../../harness/mcp/mcp-process.ts";
import { shared } from "../../../harness/shared.ts";
import { bearerOf, tokenOf } from "../../../harness/tokens.ts";
import { until } from "../../../harness/within.ts";
import { ERAS, INITIALIZE, mcpUrl, newerHeaders, newerRequest, OLDER, olderRequest } from "./mcp-url.ts";

const ADA = tokenOf("ada");
const BOB = tokenOf("bob", { roles: ["two"], profiles: ["small"], rate: "4/m" });
const CONFIG = { roles: { one: { sessions: 50 }, two: { sessions: 50 } }, tokens: [ADA, BOB] };
const troupe = shared(await testDaemon(CONFIG));
const mcp = mcpUrl(troupe.daemon.http[0] ?? "", troupe.config.state.token);
const as = ({ name }: { name: string }) => bearerOf(name);
interface RefusalData {
  text: string;
  error: ErrorDetail;
}
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

test("initialize costs as much of a token's rate as a call", async () => {
  const headers = as(tokenOf("eve"));
  troupe.reload({ ...CONFIG, tokens: [ADA, BOB, tokenOf("eve", { rate: "2/h" })] });
  for (const status of [200, 200, 429])
    assert.equal((await mcp.send(INITIALIZE, { headers })).status, status);
  const reply = await mcp.send(INITIALIZE, { headers });
  const { error, id } = reply.json as unknown as { error: { code: number; data: RefusalData }; id: number };
  assert.deepEqual([error.code, id, error.data.error.type], [-32_000, 1, "BUSY"]);
  assert.match(error.data.text, /eve may make 2 calls in 3600 s[\s\S]*Do the same again after \d+ ms/);
  assert.match(String(reply.headers["retry-after"]), /^\d+$/);
  troupe.reload(CONFIG);
});

test("a client has a bounded number of streams, and others keep theirs", async () => {
  const open = async (client: { name: string }) => {
    const headers = { ...(await begun(client)), accept: "text/event-stream" };
    return await fetch(new URL("/mcp", troupe.daemon.http[0]), { headers });
  };
  const streams: Response[] = [];
  for (let each = 0; each < 100; each++) streams.push(await open(ADA));
  assert.ok(streams.every(({ status }) => status === 200));
  const refused = await open(ADA);
  assert.equal(refused.status, 429);
  const { error } = (await refused.json()) as { error: { data: RefusalData } };
  assert.match(error.data.text, /ada may have 100 MCP streams at once[\s\S]*1\. Close one of this client's/);
  const cy = tokenOf("cy");
  troupe.reload({ ...CONFIG, tokens: [ADA, BOB, cy] });
  const other = await open(cy);
  assert.equal(other.status, 200);
  for (const stream of [...streams, other]) await stream.body?.cancel();
  await until(async () => {
    const again = await open(ADA);
    await again.body?.cancel();
    return again.status === 200;
  }, "a closed stream makes room");
  troupe.reload(CONFIG);
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
