// A client of the older era that vanishes: its open stream holds its sessions, and they end soon after the stream.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HOLD_GRACE_MS } from "../../../../daemon/sessions/session.ts";
import { testDaemon } from "../../../harness/daemon.ts";
import { fakeClock } from "../../../harness/fake-clock.ts";
import { shared } from "../../../harness/shared.ts";
import { until } from "../../../harness/within.ts";
import { INITIALIZE, mcpUrl, OLDER, olderRequest } from "./mcp-url.ts";

const MINUTE = 60_000;
const clock = fakeClock();
const troupe = shared(await testDaemon({ roles: { one: { sessions: 100 } } }, { clock }));
const address = troupe.daemon.http[0] ?? "";
const mcp = mcpUrl(address, troupe.config.state.token);

/** Begins a connection with a session of its own and a named one. */
async function begun(query = "") {
  const path = `/mcp${query}`;
  const { headers } = await mcp.send(INITIALIZE, { path });
  const own = { "mcp-session-id": String(headers["mcp-session-id"]), "mcp-protocol-version": OLDER };
  const call = async (id: number, session?: string) => {
    const args = { url: "http://do/state", ...(session && { session }) };
    const request = olderRequest("tools/call", { name: "browser_navigate", arguments: args }, id);
    const { body } = await mcp.send(request, { path, headers: own });
    const { result } = JSON.parse(/^data: (\{.*)$/m.exec(body)?.[1] ?? "{}");
    return String(result?._meta["troupe.v1/page"].session);
  };
  const ids = [await call(1), await call(2, "helper")];
  const live = async () => {
    const { ok } = await troupe.ask("ListSessions", {});
    return ok?.sessions.map(({ id }) => id).filter((id) => ids.includes(id)).length;
  };
  /** Opens the stream. Resolves with a function that breaks it off. */
  const stream = async () => {
    const gone = new AbortController();
    const { signal } = gone;
    const headers = { ...own, authorization: `Bearer ${mcp.token}`, accept: "text/event-stream" };
    const { status } = await fetch(new URL(path, address), { headers, signal });
    assert.equal(status, 200);
    return () => gone.abort();
  };
  return { live, stream, call };
}

test("the sessions of a client whose stream breaks end after a minute", async () => {
  const client = await begun();
  const gone = await client.stream();
  clock.pass(10 * MINUTE);
  assert.equal(await client.live(), 2);
  gone();
  const goneAtMs = clock.steady();
  await until(async () => {
    clock.pass(HOLD_GRACE_MS);
    return (await client.live()) === 0;
  }, "the sessions end");
  assert.ok(clock.steady() - goneAtMs < 30 * MINUTE, "sessionIdle ended them");
});

test("a client that never opens a stream keeps its sessions", async () => {
  const client = await begun();
  clock.pass(10 * MINUTE);
  assert.equal(await client.live(), 2);
});

test("a session that the client named outlives its stream", async () => {
  const [client, other] = [await begun("?session=kept"), await begun()];
  const [gone, otherGone] = [await client.stream(), await other.stream()];
  gone();
  otherGone();
  await until(async () => {
    clock.pass(HOLD_GRACE_MS);
    return (await other.live()) === 0;
  }, "the other client's sessions end");
  assert.equal(await client.live(), 2);
});
