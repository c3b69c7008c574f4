// Named sessions beside a connection's own: their ends, their limits, and their plans.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type TroupeError } from "../../../client/sdk/index.ts";
import type { Caller } from "../../../daemon/admission/caller.ts";
import { OWNER } from "../../../daemon/admission/client.ts";
import { HOLD_GRACE_MS, type SessionLimits } from "../../../daemon/sessions/session.ts";
import { closeSession } from "../../../daemon/sessions/session-of-id.ts";
import { Sessions } from "../../../daemon/sessions/sessions.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { fakeClock } from "../../harness/fake-clock.ts";
import { secretOf, tokenOf } from "../../harness/tokens.ts";

const DEADLINE = { timeout: 60_000 };
const caller = (session: string, name?: string): Caller => ({
  session,
  name,
  client: OWNER,
  key: `local/${session}`,
  profile: "core",
  maxTokens: undefined,
  role: undefined,
  resumes: undefined,
});

function open(more: Partial<SessionLimits> = {}) {
  const clock = fakeClock();
  const limits = { sessions: 5, sessionIdle: 60_000, sessionMax: 600_000, ...more };
  const sessions = new Sessions({ limits, firstRole: "first", clock });
  const ids = () => sessions.list().map(({ id }) => id);
  /** These sessions, which are all, live until the end of the grace period that begins now. */
  const assertEndAfterGrace = (expected: readonly string[]) => {
    clock.pass(HOLD_GRACE_MS - 1);
    assert.deepEqual(ids(), expected);
    clock.pass(1);
    assert.deepEqual(ids(), []);
  };
  return { clock, sessions, ids, assertEndAfterGrace };
}

test("named sessions end with the session of their connection, and say so", () => {
  const { sessions, ids } = open();
  sessions.open(caller("mcp~a", "a"));
  const own = sessions.open(caller("mcp"));
  sessions.open(caller("mcp~b", "b"));
  sessions.open(caller("mcp~c"));
  sessions.open(caller("other~a", "a"));
  sessions.close(own);
  assert.deepEqual(ids(), ["mcp~c", "other~a"]);
  assert.throws(() => sessions.open(caller("mcp~a", "a")), {
    type: "SESSION_EXPIRED",
    data: { session: "mcp~a", reason: "the session of its connection has ended" },
  });
});

test("named sessions of a connection without a session of its own are closed by its id", () => {
  const { sessions, ids } = open();
  sessions.open(caller("mcp~a", "a"));
  sessions.open(caller("mcp~b", "b"));
  closeSession(sessions, "mcp", OWNER);
  assert.deepEqual(ids(), []);
  assert.throws(() => closeSession(sessions, "mcp", OWNER), { type: "SESSION_EXPIRED" });
});

test("a session is closed by its own name, and the others stay", () => {
  const { sessions, ids } = open();
  for (const name of ["a", "b"]) sessions.open(caller(`mcp~${name}`, name));
  closeSession(sessions, "mcp~a", OWNER);
  assert.deepEqual(ids(), ["mcp~b"]);
});

test("calls of a named session keep the connection's own one, which lasts while it is held", () => {
  const { sessions, clock, ids, assertEndAfterGrace } = open();
  const named = sessions.open(caller("mcp~a", "a"));
  const release = sessions.holdOf(caller("mcp"));
  for (let passed = 0; passed < 4; passed++) {
    clock.pass(40_000);
    sessions.begin(named)();
  }
  assert.deepEqual(ids(), ["mcp~a", "mcp"]);
  release();
  assertEndAfterGrace(["mcp~a", "mcp"]);
});

const LONG = { sessionIdle: 600_000 };

test("at its maximum age a connection's own session ends alone", () => {
  const { sessions, clock, ids } = open({ ...LONG, sessionMax: 90_000 });
  sessions.open(caller("mcp"));
  clock.pass(50_000);
  sessions.open(caller("mcp~a", "a"));
  clock.pass(40_000);
  assert.deepEqual(ids(), ["mcp~a"]);
  closeSession(sessions, "mcp", OWNER);
  assert.deepEqual(ids(), [], "the client's word ends the named ones without it");
});

test("a connection's stream holds named sessions after the end of its own one, and the next own one", () => {
  const { sessions, clock, ids, assertEndAfterGrace } = open({ ...LONG, sessionMax: 200_000 });
  const release = sessions.holdOf(caller("mcp"));
  clock.pass(190_000);
  sessions.open(caller("mcp~a", "a"));
  clock.pass(10_000);
  assert.throws(() => sessions.open(caller("mcp")), { type: "SESSION_EXPIRED" });
  assert.deepEqual(ids(), ["mcp~a", "mcp"]);
  release();
  assertEndAfterGrace(["mcp~a", "mcp"]);
});

test("streams hold sessions that begin later, and a call shows that the client is there", () => {
  const { sessions, clock, ids } = open(LONG);
  const release = sessions.hold("local/mcp");
  const [one, other] = [sessions.open(caller("mcp~a", "a")), sessions.open(caller("mcp~b", "b"))];
  release();
  clock.pass(HOLD_GRACE_MS - 1);
  sessions.begin(one)();
  clock.pass(2 * HOLD_GRACE_MS);
  assert.deepEqual(ids(), ["mcp~a", "mcp~b"]);
  sessions.begin(other)();
  sessions.hold("local/mcp")();
  clock.pass(HOLD_GRACE_MS);
  assert.deepEqual(ids(), []);
});

test("a call that outlasts its client's stream keeps the session until a minute after the call", () => {
  const { sessions, clock, assertEndAfterGrace } = open(LONG);
  const release = sessions.hold("local/mcp");
  const leave = sessions.begin(sessions.open(caller("mcp")));
  release();
  clock.pass(2 * HOLD_GRACE_MS);
  leave();
  assertEndAfterGrace(["mcp"]);
});

test("a connection's own session with named ones is not unused, so it makes no room", () => {
  const { sessions, ids } = open();
  sessions.open(caller("mcp"));
  sessions.open(caller("mcp~a", "a"));
  sessions.open(caller("late~a", "a"));
  sessions.open(caller("late"));
  sessions.open(caller("idle"));
  sessions.open(caller("new"));
  assert.ok(ids().includes("mcp") && ids().includes("late"), ids().join(" "));
});

test("a restored session still ends with its connection's", () => {
  const { sessions, ids } = open();
  const stored = {
    client: "local",
    currentRole: "first",
    createdAtMs: 0,
    usedAtMs: 0,
    roles: [],
    resting: [],
  };
  sessions.restore({ ...stored, id: "mcp~a", key: "local/mcp~a", name: "a" });
  sessions.restore({ ...stored, id: "mcp", key: "local/mcp" });
  sessions.close(sessions.open(caller("mcp")));
  assert.deepEqual(ids(), []);
});

const token = (name: string) => tokenOf(name, { control: "read", sessions: 5 });

test("1,000 names of one token meet its limit, and no other client suffers", DEADLINE, async () => {
  await using troupe = await testDaemon({
    listen: ["unix:default", "127.0.0.1:0"],
    tokens: [token("many"), token("few")],
    roles: { one: { sessions: 10 } },
  });
  const address = troupe.daemon.addresses[1];
  await using many = await connect({ address, token: secretOf("many") });
  await using few = await connect({ address, token: secretOf("few") });
  const url = "http://a.test/";
  let done = 0;
  const refused: TroupeError[] = [];
  const name = async (index: number) => {
    const call = many.session.call("browser_navigate", { url, session: `agent-${index}` });
    await call.then(
      () => done++,
      (error: TroupeError) => refused.push(error),
    );
  };
  for (let index = 0; index < 1000; index += 50) {
    const storm = Array.from({ length: 50 }, (_, each) => name(index + each));
    await few.session.navigate({ url });
    await few.session.call("browser_navigate", { url, session: `own-${(index / 50) % 3}` });
    await Promise.all(storm);
  }
  // The connection's own session, which holds the named ones, takes one of the five places.
  assert.ok(done >= 4 && done <= 5, `${done} sessions`);
  assert.equal(done + refused.length, 1000);
  assert.deepEqual(new Set(refused.map(({ type }) => type)), new Set(["BUSY"]));
  const plan = refused.at(-1);
  assert.match(plan?.text ?? "", /many may have 5 sessions at once/);
  assert.match(plan?.text ?? "", /Go on in a session that this connection has already: give "agent-\d+" or /);
  assert.match(String(plan?.steps.at(-1)?.arguments?.session), /^agent-\d+$/);
  const listed = (await troupe.ask("ListSessions", {})).ok?.sessions ?? [];
  assert.ok(listed.length <= 10, `${listed.length} sessions`);
  const [own] = listed.filter((each) => each.name === "own-1");
  assert.deepEqual([own?.client, own?.door], ["few", "tcp"]);
  assert.match(own?.program ?? "", /^troupe-sdk\//);
});

test("an error of the daemon repeats the session that its call named", DEADLINE, async () => {
  await using troupe = await testDaemon({ roles: { one: {}, two: {} } });
  await using client = await connect({ address: troupe.daemon.addresses[0] });
  const call = client.session.call("browser_click", { ref: "e5", role: "onne", session: "buyer" });
  const error = await call.then(
    () => assert.fail("the call succeeded"),
    (caught: TroupeError) => caught,
  );
  assert.deepEqual(
    error.steps.map(({ tool, arguments: args }) => [tool, args]),
    [
      ["list_current_roles", { session: "buyer" }],
      ["browser_click", { ref: "e5", role: "one", session: "buyer" }],
    ],
  );
  assert.match(error.text, /list_current_roles\(session: "buyer"\)/);
});
