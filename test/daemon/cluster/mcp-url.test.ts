// MCP clients of the older protocol keep a session, and an entry may bring each of their requests to another daemon.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { sha256 } from "../../harness/tokens.ts";
import { type ClusterDaemon, daemonsOf } from "./daemons.ts";

const TOKEN = "a-token-for-all-daemons";
const tokens = [{ name: "agent", sha256: sha256(TOKEN) }];

/** Connects a client whose requests go to each daemon in turn. The daemons may change meanwhile. */
async function clientOf(daemons: readonly ClusterDaemon[], headers = {}) {
  let requests = 0;
  const next = () => daemons[requests++ % daemons.length]?.daemon.http[0];
  const inTurn = (given: string | URL, init?: RequestInit) =>
    fetch(new URL(new URL(given).pathname, next()), init);
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", daemons[0]?.daemon.http[0]), {
    fetch: inTurn,
    requestInit: { headers: { authorization: `Bearer ${TOKEN}`, ...headers } },
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return { client, transport };
}

test("a session of the older protocol works at all daemons, and ends in all", { skip }, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const daemons = [await open({ tokens }), await open({ tokens }), await open({ tokens })];
  const { client, transport } = await clientOf(daemons);
  t.after(() => client.close());
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.ok(names.includes("browser_navigate"));
  const openPage = (url: string) => client.callTool({ name: "browser_navigate", arguments: { url } });
  for (const url of ["https://a.test/", "https://b.test/", "https://c.test/", "https://d.test/"])
    assert.match(JSON.stringify((await openPage(url)).content), new RegExp(`opened ${url}`));
  const rows = await ask<{ key: string; epoch: string }>("SELECT key, epoch FROM sessions");
  assert.equal(rows.length, 1);
  assert.match(rows[0]?.key ?? "", /^agent\/test-/);
  const id = transport.sessionId ?? "";
  const send = (at: ClusterDaemon | undefined, session: string, method: string) =>
    fetch(`${at?.daemon.http[0]}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": session,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, method }),
    });
  const changed = `${id.slice(0, 10)}${id[10] === "x" ? "y" : "x"}${id.slice(11)}`;
  assert.equal((await send(daemons[1], changed, "tools/list")).status, 404, "a changed id opens nothing");
  await transport.terminateSession();
  assert.deepEqual((await daemons[0]?.ask("ListSessions", {}))?.ok?.sessions, []);
});

test("a connection's sessions that rest in no daemon end with it", { skip }, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const [leaving, other] = [await open({ tokens, limits: { drain: "2s" } }), await open({ tokens })];
  const daemons = [leaving];
  const whole = await clientOf(daemons);
  const namedOnly = await clientOf(daemons);
  const kept = await clientOf(daemons);
  for (const { client } of [whole, namedOnly, kept]) t.after(() => client.close());
  const begin = async ({ client }: typeof whole, session?: string) => {
    const given = { url: "https://a.test/", ...(session !== undefined && { session }) };
    const { content } = await client.callTool({ name: "browser_navigate", arguments: given });
    assert.match(JSON.stringify(content), /opened/);
  };
  await begin(whole);
  await begin(whole, "b");
  await begin(namedOnly, "c");
  await begin(namedOnly, "d");
  await begin(kept, "e");
  leaving.daemon.drain();
  await leaving.daemon.over;
  const resting = async () =>
    (await ask<{ key: string }>("SELECT key FROM sessions WHERE owner IS NULL")).map(({ key }) => key);
  assert.equal((await resting()).length, 5);
  daemons[0] = other;
  for (const { transport } of [whole, namedOnly]) await transport.terminateSession();
  const left = await ask<{ key: string }>("SELECT key FROM sessions");
  assert.deepEqual(
    left.map(({ key }) => key.replace(/^.*~/, "")),
    ["e"],
  );
});

test("the end of a connection that began no browser session leaves no line in the audit", {
  skip,
}, async (t) => {
  const { open } = await daemonsOf(t);
  const daemon = await open({ tokens });
  const [idle, used] = [await clientOf([daemon]), await clientOf([daemon])];
  for (const { client } of [idle, used]) t.after(() => client.close());
  await idle.client.listTools();
  await used.client.callTool({ name: "browser_navigate", arguments: { url: "https://a.test/" } });
  for (const { transport } of [idle, used]) await transport.terminateSession();
  const closes = daemon.lines.map((line) => JSON.parse(line)).filter(({ rpc }) => rpc === "CloseSession");
  assert.deepEqual(
    closes.map(({ outcome }) => outcome),
    ["OK"],
  );
});

test("a connection whose sessions cannot be ended yet can be ended again", { skip }, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const [one, other] = [await open({ tokens }), await open({ tokens })];
  const daemons = [one];
  const { client, transport } = await clientOf(daemons);
  t.after(() => client.close());
  await client.callTool({ name: "browser_navigate", arguments: { url: "https://a.test/" } });
  daemons[0] = other;
  await ask("ALTER TABLE sessions RENAME TO elsewhere");
  await assert.rejects(transport.terminateSession(), /Service Unavailable/);
  await ask("ALTER TABLE elsewhere RENAME TO sessions");
  await transport.terminateSession();
  assert.deepEqual(await ask("SELECT key FROM sessions"), []);
});
