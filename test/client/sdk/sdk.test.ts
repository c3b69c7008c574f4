// The client for programs against a real daemon with stand-in workers, over its socket.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { connect, TroupeError, type TroupeSession } from "../../../client/sdk/index.ts";
import { rpcs, tools } from "../../../proto/tools/read-tools.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { allGone } from "../../harness/proc.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 30_000 };
const ROLES = { roles: { customer: {}, admin: {} } };

/** Starts a daemon and a client of it. */
async function connected(options: Parameters<typeof connect>[0] = {}) {
  await using parts = new AsyncDisposableStack();
  const at = parts.use(await testDaemon(ROLES));
  const client = parts.use(await connect({ address: at.daemon.addresses[0], ...options }));
  const open = parts.move();
  return { at, client, session: client.session, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** Returns the error of a call that must fail. */
async function errorOf(failing: Promise<unknown>): Promise<TroupeError> {
  const error = await failing.then(
    () => assert.fail("it did not fail"),
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof TroupeError, String(error));
  return error;
}

const failing = (type: string, data: object) =>
  `http://do/fail?${new URLSearchParams({ type, data: JSON.stringify(data) })}`;

test("a tool is a method whose reply has the text, the page and the tool's data", DEADLINE, async () => {
  await using troupe = await connected();
  const { text, page, finalUrl } = await troupe.session.navigate({ url: "http://a.example/" });
  assert.equal(text, "opened http://a.example/");
  assert.deepEqual([page?.role, page?.tab, finalUrl], ["customer", "t1", ""]);
});

test("a snapshot arrives whole, with its header's fields", DEADLINE, async () => {
  await using troupe = await connected();
  const { kind, text, textLength } = await troupe.session.snapshot({ depth: 2 });
  assert.deepEqual([kind, text.length, textLength], ["SNAPSHOT_KIND_FULL", 131_072, 131_072]);
});

test("every tool has its method, and there are no others", DEADLINE, async () => {
  await using troupe = await connected();
  const methodOf = (rpc: string) => `${rpc.charAt(0).toLowerCase()}${rpc.slice(1)}`;
  const others = ["id", "profile", "call", "file", "watch", "close"];
  assert.deepEqual(
    Object.keys(troupe.session).filter((name) => !others.includes(name)),
    tools().flatMap(({ rpc }) => (rpc === "Close" ? [] : [methodOf(rpc)])),
  );
  assert.equal(rpcs().length, tools().length + 3, "Watch, PutFile and GetFile are no tools");
});

test("an error has its type, details, steps and text, for this client's profile", DEADLINE, async () => {
  await using troupe = await connected({ profile: "small" });
  const data = { ref: "e5", role: "button", name: "Save", tag: "button", candidates: [], alike: 0 };
  const error = await errorOf(troupe.session.navigate({ url: failing("STALE_REF", data) }));
  assert.deepEqual([error.name, error.type, error.details.ref], ["TroupeError", "STALE_REF", "e5"]);
  assert.equal(error.steps[0]?.tool, "browser_snapshot");
  assert.match(error.text, /^❌ Stale Element Reference[\s\S]*1\. Call browser_snapshot/);
  assert.equal(error.retry, undefined);
});

test("a temporary error says when to try again, and errors have candidates", DEADLINE, async () => {
  await using troupe = await connected();
  const busy = { limit: "8 sessions", holders: [], retryAfterMs: 700 };
  assert.deepEqual((await errorOf(troupe.session.navigate({ url: failing("BUSY", busy) }))).retry, {
    afterMs: 700,
    sameCall: true,
  });
  const candidates = [{ ref: "e9", role: "button", name: "Save" }];
  const stale = { ref: "e5", role: "button", name: "Save", tag: "button", candidates, alike: 1 };
  assert.deepEqual(
    (await errorOf(troupe.session.navigate({ url: failing("STALE_REF", stale) }))).candidates,
    candidates,
  );
});

test("arguments that a program's types would refuse are refused in words", DEADLINE, async () => {
  await using troupe = await connected();
  const { type, details } = await errorOf(troupe.session.tabs({ action: "shut" as "close" }));
  assert.deepEqual([type, details.argument], ["INVALID_ARGUMENT", "action"]);
});

test("the role is that of the call, of the session, or the one selected last", DEADLINE, async () => {
  await using troupe = await connected({ role: "admin" });
  const roleOf = async (role?: string) =>
    (await troupe.session.navigate({ url: "http://a.example/", role })).page?.role;
  assert.deepEqual(
    [await roleOf(), await roleOf("customer"), await roleOf()],
    ["admin", "customer", "admin"],
  );
  await troupe.session.selectRole({ role: "customer" });
  assert.equal(await roleOf(), "customer");
});

test("a signal cancels a call, also in the worker and before it begins", DEADLINE, async () => {
  await using troupe = await connected();
  await troupe.session.navigate({ url: "http://a.example/" });
  const abort = new AbortController();
  const hanging = errorOf(troupe.session.navigate({ url: "http://do/hang" }, { signal: abort.signal }));
  await troupe.at.holds(troupe.session.id);
  assert.equal((await troupe.client.status()).callsUnderWay, 1);
  abort.abort();
  assert.equal((await hanging).type, "CANCELLED");
  await troupe.at.cancelled(troupe.session.id);
  const never = troupe.session.navigate({ url: "http://b.example/" }, { signal: abort.signal });
  assert.equal((await errorOf(never)).type, "CANCELLED");
  assert.equal((await errorOf(troupe.client.status({ signal: abort.signal }))).type, "CANCELLED");
});

test(
  "closing ends calls under way and this client's own sessions, but no named session",
  DEADLINE,
  async () => {
    await using troupe = await connected();
    const named = troupe.client.newSession({ session: "shop-agent", role: "admin" });
    await Promise.all([troupe.session, named].map((each) => each.navigate({ url: "http://a.example/" })));
    const hanging = errorOf(troupe.session.navigate({ url: "http://do/hang" }));
    await troupe.at.holds(troupe.session.id);
    await troupe.client.close();
    assert.equal((await hanging).type, "CANCELLED");
    const { ok } = await troupe.at.ask("ListSessions", {});
    assert.deepEqual(
      ok?.sessions.map(({ id }) => id),
      ["shop-agent"],
    );
    assert.equal((await errorOf(troupe.session.snapshot())).type, "CANCELLED");
    await troupe.client.close();
  },
);

test("an invalid further session is refused in words, as with connect", DEADLINE, async () => {
  await using troupe = await connected();
  for (const [settings, argument] of [
    [{ session: "\u00fc" }, "session"],
    [{ session: "" }, "session"],
    [{ profile: "huge" as never }, "profile"],
  ] as const) {
    const { type, details } = await errorOf((async () => troupe.client.newSession(settings))());
    assert.deepEqual([type, details.argument], ["INVALID_ARGUMENT", argument]);
  }
});

test("closing a session leaves the client's other sessions alone", DEADLINE, async () => {
  await using troupe = await connected();
  {
    await using other = troupe.client.newSession();
    await other.navigate({ url: "http://a.example/" });
    assert.notEqual(other.id, troupe.session.id);
  }
  await troupe.session.navigate({ url: "http://b.example/" });
  const sessions = await troupe.client.sessions();
  assert.deepEqual(
    sessions.map(({ id }) => id),
    [troupe.session.id],
  );
});

test("methods call the control plane", DEADLINE, async () => {
  await using troupe = await connected();
  const { client, session } = troupe;
  await session.navigate({ url: "http://do/record-failure" });
  await errorOf(session.navigate({ url: failing("NO_HISTORY", { url: "http://a.example/" }) }));
  assert.deepEqual(
    (await client.roles()).map(({ name, state }) => [name, state]),
    [
      ["customer", "ROLE_STATE_READY"],
      ["admin", "ROLE_STATE_STOPPED"],
    ],
  );
  assert.equal((await client.status()).sessions, 1);
  assert.deepEqual(
    (await client.calls({ session: session.id })).map(({ tool, outcome }) => [tool, outcome]),
    [
      ["browser_navigate", "OK"],
      ["browser_navigate", "NO_HISTORY"],
    ],
  );
  assert.equal((await client.failures("customer"))?.cleanupErrors.length, 1);
  await client.clearFailures("customer");
  assert.equal((await client.failures("customer"))?.cleanupErrors.length, 0);
  assert.equal((await client.restart("customer"))?.restarts, 1);
  const unknown = await errorOf(client.failures("custmer"));
  assert.deepEqual([unknown.type, unknown.details.nearest], ["UNKNOWN_ROLE", "customer"]);
});

test("a drained daemon finishes its calls and takes no more", DEADLINE, async () => {
  await using troupe = await connected();
  assert.deepEqual(await troupe.client.drain(), { calls: 0, heldBy: [] });
  const { type } = await errorOf(troupe.session.navigate({ url: "http://a.example/" }));
  assert.match(type, /^DAEMON_(DRAINING|UNREACHABLE)$/);
});

test("events come without heartbeats until the loop ends or the client is closed", DEADLINE, async () => {
  await using troupe = await connected();
  const events = troupe.client.events({ role: "customer" });
  const first = events.next();
  await troupe.session.navigate({ url: "http://a.example/" });
  const seen = [(await first).value];
  await errorOf(troupe.session.navigate({ url: failing("NO_HISTORY", { url: "x" }) }));
  for await (const event of events) {
    seen.push(event);
    if (event.callFailed) break;
  }
  assert.equal(seen.at(-1)?.callFailed?.call?.outcome, "NO_HISTORY");
  assert.ok(seen.every((event) => event && !event.heartbeat));
  const more = troupe.client.events();
  const pending = more.next();
  await troupe.client.close();
  assert.deepEqual(await pending, { value: undefined, done: true });
});

test("an unreachable or wrong daemon is an error of the catalogue", DEADLINE, async () => {
  using temp = tempDir();
  const stateDir = path.join(temp.dir, "s");
  const nobody = await errorOf(connect({ stateDir, autostart: false }));
  assert.deepEqual([nobody.type, nobody.details.address], ["DAEMON_UNREACHABLE", "unix:default"]);
  assert.match(nobody.text, /troupe daemon/);
  const refused = async (options: Parameters<typeof connect>[0]) => {
    const { type, details } = await errorOf(connect(options));
    assert.equal(type, "INVALID_ARGUMENT");
    return details.argument;
  };
  assert.equal(await refused({ address: "shop.example" }), "address");
  assert.equal(await refused({ config: path.join(temp.dir, "none.yaml"), stateDir }), "config");
  assert.equal(await refused({ session: "a b" }), "session");
  assert.equal(await refused({ profile: "tiny" as "small" }), "profile");
  const { type } = await errorOf(connect({ stateDir, autostart: false, signal: AbortSignal.abort() }));
  assert.equal(type, "CANCELLED");
});

test("a client starts a daemon if none runs, and the daemon outlives it", DEADLINE, async () => {
  using temp = tempDir();
  const stateDir = path.join(temp.dir, "s");
  const { pid } = await (async () => {
    await using client = await connect({ stateDir });
    return await client.status();
  })();
  await using again = await connect({ stateDir, autostart: false });
  assert.equal((await again.status()).pid, pid);
  await again.drain();
  await allGone([pid]);
});

/** It never runs. tsc reports each line that is right or wrong against expectation. */
export function typesHold(session: TroupeSession): Promise<unknown>[] {
  return [
    session.click({ ref: "e5", button: "right", modifiers: ["shift"], role: "admin" }),
    session.snapshot(),
    session.waitFor({ ref: "e5", state: "enabled", time: 3 }, { signal: AbortSignal.timeout(1000) }),
    // @ts-expect-error a click needs a ref
    session.click({}),
    // @ts-expect-error there is no such button
    session.click({ ref: "e5", button: "MOUSE_BUTTON_LEFT" }),
    // @ts-expect-error tabs need an action
    session.tabs(),
    // @ts-expect-error there is no such argument
    session.navigate({ url: "http://a.example/", timeout: 3 }),
    // @ts-expect-error a snapshot has no final address
    session.snapshot().then(({ finalUrl }) => finalUrl),
  ];
}
