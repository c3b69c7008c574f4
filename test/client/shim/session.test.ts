import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { McpProcess } from "../../harness/mcp/mcp-process.ts";
import { type Received, StandIn } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const headerOf = (call: Received | undefined, name: string) => call?.headers[`x-troupe-${name}`];

test("a session with a made-up id is held, and closed when stdin ends", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  const shim = await McpProcess.start(["--address", daemon.address]);
  const holding = daemon.next("WatchEvents");
  await shim.call("browser_press_key", { key: "a" });
  const held = await holding;
  const session = headerOf(daemon.callsOf("PressKey")[0], "session");
  assert.match(session ?? "", /^mcp-[0-9a-f]{16}$/);
  assert.deepEqual([headerOf(held, "session"), held.request.holdsSession], [session, true]);
  const closing = daemon.next("CloseSession");
  await shim.client.close();
  assert.deepEqual((await closing).request, { session });
});

test("a session named by a flag or the environment is neither held nor closed", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  {
    await using byFlag = await McpProcess.start(["--address", daemon.address, "--session", "mine"]);
    await byFlag.call("browser_press_key", { key: "a" });
    await using byEnvironment = await McpProcess.start([], {
      TROUPE_ADDRESS: daemon.address,
      TROUPE_SESSION: "ours",
    });
    await byEnvironment.call("browser_press_key", { key: "a" });
  }
  assert.deepEqual(
    daemon.callsOf("PressKey").map((call) => headerOf(call, "session")),
    ["mine", "ours"],
  );
  assert.deepEqual([daemon.callsOf("WatchEvents"), daemon.callsOf("CloseSession")], [[], []]);
});

test("a shim whose daemon hangs still ends with its stdin", DEADLINE, async () => {
  await using daemon = await StandIn.start({ CloseSession: ({ signal }) => once(signal, "abort") });
  const shim = await McpProcess.start(["--address", daemon.address]);
  await shim.call("browser_press_key", { key: "a" });
  const closing = daemon.next("CloseSession");
  await shim.client.close();
  await closing;
});
