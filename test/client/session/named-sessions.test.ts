// Many agents over one connection: each name that calls give is a session of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NamedSessions } from "../../../client/session/named-sessions.ts";
import { fail } from "../../../proto/errors/catalogue.ts";
import { errorOf, McpProcess, textOf } from "../../harness/mcp/mcp-process.ts";
import { McpSession } from "../../harness/mcp/mcp-session.ts";
import { type Received, StandIn } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const headerOf = (call: Received | undefined, name: string) => call?.headers[`x-troupe-${name}`];
const sessionsOf = (daemon: StandIn, rpc: string) =>
  daemon.callsOf(rpc).map((call) => headerOf(call, "session"));

test("a call's session is beside the connection's own, and is no argument", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpSession.start(daemon.address);
  await shim.call("browser_press_key", { key: "a" });
  await shim.call("browser_press_key", { key: "b", session: "buyer" });
  await shim.call("browser_press_key", { arguments: { key: "c", Session: "'seller'" } });
  assert.deepEqual(sessionsOf(daemon, "PressKey"), ["test", "test~buyer", "test~seller"]);
  assert.deepEqual(
    daemon.callsOf("PressKey").map((call) => [headerOf(call, "session-name"), call.request.key]),
    [
      [undefined, "a"],
      ["buyer", "b"],
      ["seller", "c"],
    ],
  );
});

test("a session of a name waits for no other over the same connection", DEADLINE, async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<object>();
  await using daemon = await StandIn.start({
    PressKey: ({ headers }) => (headers["x-troupe-session"] === "test~slow" ? released : {}),
    SelectRole: ({ headers }) => (headers["x-troupe-session"] === "test~slow" ? released : {}),
  });
  await using shim = await McpSession.start(daemon.address);
  const slow = shim.call("select_role", { role: "customer", session: "slow" });
  const behind = shim.call("browser_press_key", { key: "a", session: "slow" });
  assert.equal((await shim.call("browser_press_key", { key: "b", session: "fast" })).isError, undefined);
  assert.deepEqual(sessionsOf(daemon, "PressKey"), ["test~fast"]);
  release({});
  await Promise.all([slow, behind]);
  assert.deepEqual(sessionsOf(daemon, "PressKey"), ["test~fast", "test~slow"]);
});

test("the current role and its loss are each session's own", DEADLINE, async () => {
  const lost = new Set<string>();
  await using daemon = await StandIn.start({
    SelectRole: ({ request }) => ({ role: request.role }),
    PressKey: ({ headers }) => {
      const session = headers["x-troupe-session"] ?? "";
      if (!headers["x-troupe-resume"] || !lost.delete(session)) return {};
      throw fail("SESSION_LOST", { session });
    },
  });
  await using shim = await McpSession.start(daemon.address, { role: "visitor" });
  await shim.call("select_role", { role: "admin", session: "a" });
  await shim.call("browser_press_key", { key: "x", session: "a" });
  await shim.call("browser_press_key", { key: "x", session: "b" });
  const selected = () =>
    daemon.callsOf("SelectRole").map((call) => [headerOf(call, "session"), call.request.role]);
  assert.deepEqual(selected(), [
    ["test~a", "admin"],
    ["test~b", "visitor"],
  ]);
  for (const name of ["a", "b"]) lost.add(`test~${name}`);
  const told = await shim.call("browser_press_key", { key: "x", session: "a" });
  assert.equal(errorOf(told).type, "SESSION_LOST");
  assert.equal((await shim.call("browser_press_key", { key: "x", session: "a" })).isError, undefined);
  assert.deepEqual(selected().at(-1), ["test~a", "admin"]);
  assert.equal(
    errorOf(await shim.call("browser_press_key", { key: "x", session: "b" })).type,
    "SESSION_LOST",
  );
});

test("a plan that this client makes repeats the session in its calls and its words", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpSession.start(daemon.address);
  const wrong = await shim.call("browser_click", { ref: "e5", button: "lefft", session: "buyer" });
  assert.deepEqual(errorOf(wrong).steps[0]?.arguments, { ref: "e5", button: "left", session: "buyer" });
  assert.match(textOf(wrong), /browser_click\(ref: \S+, button: "left", session: "buyer"\)/);
  const unclear = await shim.call("browser_click", { session: "buyer" });
  assert.match(textOf(unclear), /Call browser_click again with its ref \(session: "buyer"\)/);
  const unknown = await shim.call("browser_clik", { ref: "e5", session: "buyer" });
  assert.equal(errorOf(unknown).steps.at(-1)?.arguments?.session, "buyer");
});

test("a name that is not allowed is refused with the call that works", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpSession.start(daemon.address);
  const refused = await shim.call("browser_press_key", { key: "a", session: "buyer one" });
  const { type, details, steps } = errorOf(refused);
  assert.deepEqual([type, details.argument], ["INVALID_ARGUMENT", "session"]);
  assert.equal(daemon.callsOf("PressKey").length, 0);
  const [{ tool = "", arguments: args } = assert.fail("no step")] = steps;
  assert.equal((await shim.call(tool, args)).isError, undefined);
  assert.deepEqual(sessionsOf(daemon, "PressKey"), ["test~buyer-one"]);
});

test("a name that makes the id too long is refused, naming the bound", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpSession.start(daemon.address, { id: "x".repeat(120) });
  assert.equal((await shim.call("browser_press_key", { key: "a", session: "seven77" })).isError, undefined);
  const refused = await shim.call("browser_press_key", { key: "a", session: "eight888" });
  assert.match(textOf(refused), /too long beside the connection's own session[\s\S]*at most 7 characters/);
});

test("one stream holds all sessions of a shim, and the end of stdin closes all", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  const shim = await McpProcess.start(["--address", daemon.address]);
  const holding = daemon.next("WatchEvents");
  await shim.call("browser_press_key", { key: "a", session: "one" });
  const held = headerOf(await holding, "session");
  await shim.call("browser_press_key", { key: "a", session: "two" });
  assert.deepEqual(sessionsOf(daemon, "PressKey"), [`${held}~one`, `${held}~two`]);
  assert.equal(headerOf(daemon.callsOf("PressKey")[0], "program"), "test/1");
  const closing = daemon.next("CloseSession");
  await shim.client.close();
  assert.deepEqual((await closing).request, { session: held });
  assert.deepEqual(sessionsOf(daemon, "WatchEvents"), [held]);
});

test("beyond the bound the session that was not used for longest ends", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpSession.start(daemon.address);
  const sessions = new NamedSessions({ link: shim.link, id: "many", profile: "core" }, 2);
  const press = (session: string) => sessions.call("browser_press_key", { key: "a", session });
  await press("a");
  await press("b");
  await press("a");
  const ended = daemon.next("CloseSession");
  await press("c");
  assert.deepEqual((await ended).request, { session: "many~b" });
  await press("a");
  assert.equal(headerOf(daemon.callsOf("PressKey").at(-1), "resume")?.length, 36);
});
