import assert from "node:assert/strict";
import { test } from "node:test";
import { Metadata } from "@grpc/grpc-js";
import { parseAddress } from "../../../client/connection/address.ts";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { Session } from "../../../client/session/session.ts";
import { callerOf } from "../../../daemon/admission/caller.ts";
import { OWNER } from "../../../daemon/admission/client.ts";
import { Sessions } from "../../../daemon/sessions/sessions.ts";
import { fail } from "../../../proto/errors/catalogue.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { fakeClock } from "../../harness/fake-clock.ts";
import { errorOf, textOf } from "../../harness/mcp/mcp-process.ts";
import { McpSession } from "../../harness/mcp/mcp-session.ts";
import {
  type Answer,
  aborted,
  type Received,
  StandIn,
  snapshotParts,
} from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const headerOf = (call: Received | undefined, name: string) => call?.headers[`x-troupe-${name}`];

test("the client finds a restarted daemon and says that the session was used", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpSession.start(daemon.address, { own: true });
  await shim.call("browser_press_key", { key: "a" });
  await daemon.stop();
  const meanwhile = await shim.call("browser_press_key", { key: "b" });
  assert.equal(errorOf(meanwhile).type, "DAEMON_UNREACHABLE");
  assert.match(textOf(meanwhile), /1\. Call browser_press_key\(key: <as before>\) after \d+ ms/);
  await daemon.start();
  const held = daemon.next("WatchEvents");
  assert.equal((await shim.call("browser_press_key", { key: "c" })).isError, undefined);
  assert.deepEqual(
    daemon.callsOf("PressKey").map((call) => headerOf(call, "resume")?.length),
    [undefined, 36],
  );
  assert.equal(headerOf(await held, "resume"), undefined);
});

test("a broken connection is made again and the session held again, without any call", DEADLINE, async () => {
  await using daemon = await StandIn.start({ GetStatus: () => ({ pid: 1 }) });
  await using shim = await McpSession.start(daemon.address, { own: true });
  const first = daemon.next("WatchEvents");
  await shim.call("browser_press_key", { key: "a" });
  await first;
  // Its answer comes after those that were requested before it.
  await shim.call("browser_press_key", { key: "b" });
  await daemon.stop();
  const held = daemon.next("WatchEvents");
  await daemon.start();
  assert.match(headerOf(await held, "session") ?? "", /^test$/);
});

test("another daemon is not asked to hold the session, so that it reports the loss", DEADLINE, async () => {
  let pid = 1;
  await using daemon = await StandIn.start({ GetStatus: () => ({ pid }) });
  await using shim = await McpSession.start(daemon.address, { own: true });
  const first = daemon.next("WatchEvents");
  await shim.call("browser_press_key", { key: "a" });
  await first;
  await shim.call("browser_press_key", { key: "b" });
  await daemon.stop();
  pid = 2;
  const asked = daemon.next("GetStatus");
  await daemon.start();
  await asked;
  const again = daemon.next("WatchEvents");
  assert.equal((await shim.call("browser_press_key", { key: "c" })).isError, undefined);
  await again;
  const rpcs = daemon.received.map(({ rpc }) => rpc).filter((rpc) => /Key|Watch/.test(rpc));
  assert.deepEqual(rpcs, ["PressKey", "WatchEvents", "PressKey", "PressKey", "WatchEvents"]);
});

test(
  "a read is repeated after a broken connection; an action is not, and its error says so",
  DEADLINE,
  async () => {
    await using daemon = await StandIn.start();
    const breakOnce = ({ signal }: Received) => {
      daemon.answers = { Snapshot: () => snapshotParts("- main") };
      daemon.breakConnections();
      return aborted(signal);
    };
    daemon.answers = { Snapshot: breakOnce, Click: breakOnce };
    await using shim = await McpSession.start(daemon.address, { own: true });
    assert.equal(textOf(await shim.call("browser_snapshot")), "- main");
    daemon.answers = { Click: breakOnce };
    const click = await shim.call("browser_click", { ref: "e5" });
    assert.equal(errorOf(click).type, "DAEMON_UNREACHABLE");
    assert.match(textOf(click), /may have taken effect/);
    assert.equal(daemon.callsOf("Click").length, 1);
  },
);

test("a snapshot whose answer may be lost is requested whole, and so is the next one", DEADLINE, async () => {
  await using daemon = await StandIn.start({ Snapshot: () => snapshotParts("- main") });
  await using shim = await McpSession.start(daemon.address, { own: true });
  await shim.call("browser_snapshot");
  const breaks = ({ signal }: Received) => {
    daemon.answers = { Snapshot: () => snapshotParts("- main") };
    daemon.breakConnections();
    return aborted(signal);
  };
  daemon.answers = { Snapshot: breaks };
  await shim.call("browser_snapshot");
  daemon.answers = { Click: breaks };
  await shim.call("browser_click", { ref: "e5" });
  await shim.call("browser_snapshot");
  await shim.call("browser_snapshot");
  const asked = daemon.callsOf("Snapshot").map(({ request }) => Boolean(request.full));
  assert.deepEqual(asked, [true, false, true, true, false]);
});

test("a page that a navigation showed is not requested whole again", DEADLINE, async () => {
  await using daemon = await StandIn.start({ Snapshot: () => snapshotParts("- main") });
  await using shim = await McpSession.start(daemon.address);
  await shim.call("browser_navigate", { url: "https://a.example/" });
  await shim.call("browser_snapshot");
  await shim.call("browser_navigate_back", { tab: "t2" });
  await shim.call("browser_snapshot", { tab: "t2" });
  assert.deepEqual(
    daemon.callsOf("Snapshot").map(({ request }) => Boolean(request.full)),
    [false, false],
  );
});

test("the first role is selected once, before the first call", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpSession.start(daemon.address, { role: "admin" });
  await Promise.all([shim.call("list_current_roles"), shim.call("browser_press_key", { key: "b" })]);
  const order = daemon.received.map(({ rpc }) => rpc).filter((rpc) => /Role|Key/.test(rpc));
  assert.deepEqual(order, ["SelectRole", "ListCurrentRoles", "PressKey"]);
  assert.equal(daemon.callsOf("SelectRole")[0]?.request.role, "admin");
});

test(
  "a first role that does not exist fails the calls that need it, until one is selected",
  DEADLINE,
  async () => {
    await using daemon = await StandIn.start({
      SelectRole: ({ request }) => {
        if (request.role === "customer") return { text: "customer", role: "customer" };
        throw fail("UNKNOWN_ROLE", { role: String(request.role), roles: ["customer"], nearest: "customer" });
      },
      ListCurrentRoles: () => ({ text: "customer" }),
    });
    await using shim = await McpSession.start(daemon.address, { role: "custmer" });
    const first = await shim.call("browser_press_key", { key: "a" });
    const { type, tool, steps } = errorOf(first);
    assert.deepEqual([type, tool], ["UNKNOWN_ROLE", "browser_press_key"]);
    assert.deepEqual(
      steps.map((step) => step.tool),
      ["list_current_roles", "select_role", "browser_press_key"],
    );
    assert.equal(daemon.callsOf("PressKey").length, 0);
    for (const step of steps) {
      const result = await shim.call(step.tool ?? "", step.arguments);
      assert.equal(result.isError, undefined, textOf(result));
    }
    assert.equal(daemon.callsOf("PressKey").length, 1);
  },
);

test("a connection lost while the role is selected leaves the call without effect", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  daemon.answers.SelectRole = ({ signal }) => {
    daemon.answers = {};
    daemon.breakConnections();
    return aborted(signal);
  };
  await using shim = await McpSession.start(daemon.address, { role: "admin" });
  const failed = errorOf(await shim.call("browser_press_key", { key: "a" }));
  assert.deepEqual([failed.type, failed.details.effect], ["DAEMON_UNREACHABLE", "none"]);
  assert.equal(failed.steps[0]?.tool, "browser_press_key");
  assert.equal(daemon.callsOf("PressKey").length, 0);
  await shim.call("browser_press_key", { key: "a" });
  const order = daemon.received.map(({ rpc }) => rpc).filter((rpc) => /Role|Key/.test(rpc));
  assert.deepEqual(order, ["SelectRole", "SelectRole", "PressKey"]);
});

test("a session that the daemon lost continues in the role that was selected last", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpSession.start(daemon.address, { own: true });
  await shim.call("select_role", { role: "admin" });
  daemon.answers.PressKey = () => {
    throw fail("SESSION_LOST", { session: "s" });
  };
  assert.equal(errorOf(await shim.call("browser_press_key", { key: "a" })).type, "SESSION_LOST");
  daemon.answers = {};
  await shim.call("browser_press_key", { key: "a" });
  const order = daemon.received.map(({ rpc }) => rpc).filter((rpc) => /Role|Key/.test(rpc));
  assert.deepEqual(order, ["SelectRole", "PressKey", "SelectRole", "PressKey"]);
});

test(
  "every call sent before the loss fails with it; later calls run in the role selected last",
  DEADLINE,
  async () => {
    const daemon = await RestartedDaemon.start();
    await using standIn = daemon.standIn;
    await using shim = await McpSession.start(standIn.address, { role: "admin" });
    assert.equal(textOf(await shim.call("browser_press_key", { key: "a" })), "a in admin");
    daemon.restart();
    const sent = ["b", "c", "d"].map((key) => shim.call("browser_press_key", { key }));
    const selecting = shim.call("select_role", { role: "customer" });
    for (const result of await Promise.all([...sent, selecting]))
      assert.equal(errorOf(result).type, "SESSION_LOST");
    const after = ["e", "f"].map((key) => shim.call("browser_press_key", { key }));
    assert.deepEqual((await Promise.all(after)).map(textOf), ["e in admin", "f in admin"]);
    daemon.restart();
    assert.equal(errorOf(await shim.call("browser_press_key", { key: "g" })).type, "SESSION_LOST");
    assert.equal(textOf(await shim.call("browser_press_key", { key: "h" })), "h in admin");
  },
);

test("a call that waited while the session was lost is not executed in the new one", DEADLINE, async () => {
  const daemon = await RestartedDaemon.start();
  await using standIn = daemon.standIn;
  await using shim = await McpSession.start(standIn.address, { role: "admin" });
  await shim.call("browser_press_key", { key: "a" });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const selectRole = standIn.answers.SelectRole as Answer;
  standIn.answers.SelectRole = (call) => released.then(() => selectRole(call));
  const selecting = standIn.next("SelectRole");
  const results = [
    shim.call("select_role", { role: "customer" }),
    shim.call("browser_press_key", { key: "b" }),
  ];
  await selecting;
  daemon.restart();
  release();
  for (const result of await Promise.all(results)) assert.equal(errorOf(result).type, "SESSION_LOST");
  assert.equal(textOf(await shim.call("browser_press_key", { key: "c" })), "c in admin");
});

test(
  "calls leave in the order in which they came, and after an earlier change of role",
  DEADLINE,
  async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<object>();
    await using daemon = await StandIn.start({ SelectRole: () => released });
    await using shim = await McpSession.start(daemon.address);
    const selecting = daemon.next("SelectRole");
    const calls = [
      shim.call("browser_press_key", { key: "a" }),
      shim.call("select_role", { role: "admin" }),
      shim.call("browser_press_key", { key: "b", role: "customer" }),
      shim.call("browser_press_key", { key: "c" }),
    ];
    await selecting;
    assert.equal(daemon.callsOf("PressKey").length, 1);
    release({});
    await Promise.all(calls);
    assert.deepEqual(
      daemon.callsOf("PressKey").map(({ request }) => request.key),
      ["a", "b", "c"],
    );
  },
);

test(
  "a cancelled call stops waiting for a change of role; the calls behind it still wait",
  DEADLINE,
  async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<object>();
    await using daemon = await StandIn.start({ SelectRole: () => released });
    await using shim = await McpSession.start(daemon.address);
    const { session } = shim;
    const selecting = daemon.next("SelectRole");
    const selected = session.call("select_role", { role: "admin" });
    const cancel = new AbortController();
    const cancelled = session.call("browser_press_key", { key: "a" }, cancel.signal);
    const behind = session.call("browser_press_key", { key: "b" });
    await selecting;
    cancel.abort();
    await assert.rejects(cancelled, { type: "CANCELLED" });
    // Any call that was free to leave would have left before this.
    await shim.link.connection();
    assert.equal(daemon.callsOf("PressKey").length, 0);
    release({});
    await Promise.all([selected, behind]);
    assert.deepEqual(
      daemon.callsOf("PressKey").map(({ request }) => request.key),
      ["b"],
    );
  },
);

test("calls for a daemon that does not start end at their deadline", DEADLINE, async () => {
  const files = stateFiles({ cwd: "/", env: {} });
  const link = new DaemonLink({
    addresses: () => [parseAddress("unix:/no/such/daemon.sock", "/", files)],
    start: () => Promise.withResolvers<void>().promise,
  });
  const session = new Session({ link, id: "s", profile: "core", deadlineMs: 300 });
  const failed = { type: "DAEMON_UNREACHABLE", message: /could not be asked within/ };
  await Promise.all([
    assert.rejects(session.call("select_role", { role: "admin" }), failed),
    assert.rejects(session.call("browser_press_key", { key: "a" }), failed),
  ]);
});

/** A stand-in that keeps sessions as the daemon does, and loses them on command. */
class RestartedDaemon {
  readonly standIn: StandIn;
  #sessions = freshSessions();

  static async start(): Promise<RestartedDaemon> {
    return new RestartedDaemon(await StandIn.start());
  }

  private constructor(standIn: StandIn) {
    this.standIn = standIn;
    standIn.answers = {
      PressKey: (call) => ({ text: `${call.request.key} in ${this.#sessionOf(call).currentRole}` }),
      SelectRole: (call) => {
        const role = String(call.request.role);
        this.#sessionOf(call).currentRole = role;
        return { text: role, role };
      },
    };
  }

  restart(): void {
    this.#sessions = freshSessions();
  }

  #sessionOf({ headers }: Received) {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(headers)) if (name.startsWith("x-")) metadata.set(name, value);
    return this.#sessions.open(callerOf(metadata, OWNER));
  }
}

function freshSessions(): Sessions {
  const limits = { sessions: 100, sessionIdle: 60_000, sessionMax: 600_000 };
  return new Sessions({ limits, firstRole: "customer", clock: fakeClock() });
}
