// `troupe mcp` with the official client of the newer protocol era; every other test of the shim uses the older one's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { mcpTools } from "../../../proto/tools/tool-list.ts";
import { CLI } from "../../harness/mcp/mcp-process.ts";
import { aborted, StandIn, snapshotParts } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 30_000 };
const NEWER = "2026-07-28";
const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** Starts a shim and connects. `mode` is how the client finds the version. */
async function connected(address: string, mode: "auto" | { pin: string }) {
  const client = new Client({ name: "newer agent", version: "3" }, { versionNegotiation: { mode } });
  const args = [CLI, "mcp", "--address", address];
  const env = { ...(process.env as Record<string, string>) };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

for (const mode of ["auto", { pin: NEWER }] as const) {
  test(`a client of the newer era (${JSON.stringify(mode)}) lists and calls tools`, DEADLINE, async () => {
    await using daemon = await StandIn.start({
      Snapshot: () => snapshotParts('- button "Save" [ref=e5]'),
    });
    await using shim = await connected(daemon.address, mode);
    const { client } = shim;
    assert.equal(client.getNegotiatedProtocolVersion(), NEWER);
    assert.match(client.getInstructions() ?? "", /browser_snapshot/);
    const list = await client.listTools();
    assert.deepEqual(list.tools, JSON.parse(JSON.stringify(mcpTools("core"))));
    assert.deepEqual([list.ttlMs, list.cacheScope], [3_600_000, "private"]);
    const result = (await client.callTool({
      name: "browser_snapshot",
      arguments: { session: "a" },
      _meta: { traceparent: TRACE },
    })) as CallToolResult;
    assert.deepEqual(result.content, [{ type: "text", text: '- button "Save" [ref=e5]' }]);
    const [call] = daemon.callsOf("Snapshot");
    assert.match(call?.headers["x-troupe-session"] ?? "", /~a$/);
    assert.equal(call?.headers["x-troupe-program"], "newer-agent/3");
    assert.equal(call?.headers["x-request-id"], TRACE);
    const failed = (await client.callTool({
      name: "browser_clik",
      arguments: { ref: "e5" },
    })) as CallToolResult;
    assert.equal(failed.isError, true);
  });
}

test("a client of the newer era can cancel a call and gets its progress", DEADLINE, async () => {
  await using daemon = await StandIn.start({ WaitFor: ({ signal }) => aborted(signal) });
  await using shim = await connected(daemon.address, { pin: NEWER });
  const gaveUp = new AbortController();
  const arrived = daemon.next("WaitFor");
  const { promise: reported, resolve } = Promise.withResolvers<{ progress: number }>();
  const call = shim.client.callTool(
    { name: "browser_wait_for", arguments: { text: "x" } },
    { signal: gaveUp.signal, onprogress: resolve },
  );
  const { signal } = await arrived;
  assert.equal((await reported).progress, 1);
  const ended = new Promise((done) => signal.addEventListener("abort", done, { once: true }));
  gaveUp.abort();
  await assert.rejects(call);
  await ended;
});
