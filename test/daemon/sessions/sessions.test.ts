import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "../../../daemon/admission/caller.ts";
import { OWNER } from "../../../daemon/admission/client.ts";
import { HOLD_GRACE_MS, type Session } from "../../../daemon/sessions/session.ts";
import { Sessions } from "../../../daemon/sessions/sessions.ts";
import { longestAtRest } from "../../../daemon/supervisor/hibernations.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const caller = (session: string, resumes?: string): Caller => ({
  session,
  client: OWNER,
  key: `local/${session}`,
  profile: "core",
  maxTokens: undefined,
  role: undefined,
  resumes,
});

function open(lastAddress?: (session: Session) => string) {
  const clock = fakeClock();
  const changes: string[] = [];
  const sessions = new Sessions({
    limits: { sessions: 5, sessionIdle: 60_000, sessionMax: 600_000 },
    firstRole: "first",
    clock,
    changed: ({ id }, change) => void changes.push(`${id} ${change}`),
    ...(lastAddress && { lastAddress }),
  });
  return { clock, sessions, changes };
}

test("a session begins with its first call, in the first role", () => {
  const { sessions, changes } = open();
  const session = sessions.open(caller("a"));
  assert.equal(session.currentRole, "first");
  assert.equal(sessions.open(caller("a")), session);
  assert.deepEqual(changes, ["a opened"]);
});

test("a session that is not used ends, one that is used does not", () => {
  const { sessions, clock, changes } = open();
  sessions.open(caller("idle"));
  sessions.open(caller("used"));
  clock.pass(40_000);
  sessions.open(caller("used"));
  clock.pass(40_000);
  assert.deepEqual(changes, ["idle opened", "used opened", "idle expired"]);
});

test("setting the clock forward or back does not change a session's end", () => {
  const { sessions, clock, changes } = open();
  sessions.open(caller("first"));
  clock.pass(20_000);
  const second = sessions.open(caller("second"));
  clock.set(6 * 3_600_000);
  clock.pass(45_000);
  assert.deepEqual(changes, ["first opened", "second opened", "first expired"]);
  clock.set(-12 * 3_600_000);
  sessions.begin(second)();
  assert.equal(second.usedAtMs, clock.now(), "dates are told by the clock as it is set");
  clock.pass(59_000);
  assert.equal(sessions.size, 1);
  clock.pass(2_000);
  assert.equal(sessions.size, 0);
});

test("a session with a call under way is in use, however long the call takes", () => {
  const { sessions, clock } = open();
  const session = sessions.open(caller("a"));
  const leave = sessions.begin(session);
  clock.pass(70_000);
  assert.equal(sessions.size, 1);
  leave();
  clock.pass(130_000);
  assert.equal(sessions.size, 0);
});

test("a session in constant use ends at its maximum age", () => {
  const { sessions, clock } = open();
  const first = sessions.open(caller("a"));
  for (let minute = 0; minute < 10; minute++) {
    clock.pass(55_000);
    sessions.open(caller("a"));
  }
  clock.pass(55_000);
  assert.throws(() => sessions.open(caller("a")), { type: "SESSION_EXPIRED" });
  assert.notEqual(sessions.open(caller("a")), first);
});

test("a session ends some time after its last hold", () => {
  const { sessions, clock, changes } = open();
  const session = sessions.open(caller("a"));
  const release = sessions.hold(session.key);
  release();
  const again = sessions.hold(session.key);
  clock.pass(HOLD_GRACE_MS / 2);
  sessions.open(caller("a"));
  clock.pass(HOLD_GRACE_MS / 2 + 1);
  assert.equal(sessions.size, 1);
  again();
  clock.pass(HOLD_GRACE_MS - 1);
  assert.equal(sessions.size, 1);
  clock.pass(1);
  assert.deepEqual(changes, ["a opened", "a expired"]);
});

test("an idle session ends even if a stream holds it", () => {
  const { sessions, clock, changes } = open();
  sessions.hold(sessions.open(caller("a")).key);
  clock.pass(60_001);
  assert.deepEqual(changes, ["a opened", "a expired"]);
});

test("a stream does not replace a lost session, so that the next call reports the loss", () => {
  const { sessions } = open();
  assert.throws(() => sessions.holdOf(caller("a", "1")), { type: "SESSION_LOST" });
  assert.equal(sessions.size, 0);
  assert.throws(() => sessions.open(caller("a", "1")), { type: "SESSION_LOST" });
});

test("a client that resumes an unknown session gets one error, then a new session", () => {
  const { sessions } = open();
  assert.throws(() => sessions.open(caller("a", "1")), { type: "SESSION_LOST" });
  assert.equal(sessions.open(caller("a", "1")).id, "a");
});

test("a client that resumes an ended session gets the reason, once", () => {
  const { sessions, clock } = open();
  sessions.open(caller("a"));
  clock.pass(60_001);
  assert.throws(() => sessions.open(caller("a", "1")), {
    type: "SESSION_EXPIRED",
    data: { session: "a", reason: "it was not used for 60 s" },
  });
  assert.ok(sessions.open(caller("a", "1")));
});

test("a client with a resume word of its own gets the error in each call with that word only", () => {
  const { sessions } = open();
  const [before, another] = ["a word of its life", "another's"];
  for (let time = 0; time < 2; time++)
    assert.throws(() => sessions.open(caller("a", before)), { type: "SESSION_LOST" });
  assert.equal(sessions.open(caller("a")).id, "a");
  assert.throws(() => sessions.open(caller("a", before)), { type: "SESSION_LOST" });
  assert.equal(sessions.open(caller("a", another)).id, "a");
});

test("a client that does not resume also gets the end once, with the last address", () => {
  const { sessions } = open(({ id }) => `https://shop.example/${id}`);
  sessions.close(sessions.open(caller("a")));
  assert.throws(() => sessions.open(caller("a")), {
    type: "SESSION_EXPIRED",
    data: { session: "a", reason: "it was closed", url: "https://shop.example/a" },
  });
  assert.ok(sessions.open(caller("a")));
});

test("a very long address is not remembered", () => {
  const { sessions } = open(() => `https://shop.example/${"x".repeat(500)}`);
  sessions.close(sessions.open(caller("a")));
  assert.throws(() => sessions.open(caller("a")), { data: { session: "a", reason: "it was closed" } });
});

test("a stream does not replace an ended session, so that the next call reports the end", () => {
  const { sessions } = open();
  sessions.close(sessions.open(caller("a")));
  assert.throws(() => sessions.holdOf(caller("a")), { type: "SESSION_LOST" });
  assert.throws(() => sessions.open(caller("a")), { type: "SESSION_EXPIRED" });
});

test("closing a session aborts its calls", () => {
  const { sessions } = open();
  const session = sessions.open(caller("a"));
  sessions.close(session);
  assert.equal(session.over.signal.reason.type, "SESSION_EXPIRED");
  assert.deepEqual(sessions.list(), []);
});

test("the number of all sessions is bounded", () => {
  const { sessions } = open();
  for (let index = 0; index < 5; index++) sessions.open(caller(`s${index}`)).hasAnswered = true;
  assert.throws(() => sessions.open(caller("one more")), {
    type: "BUSY",
    data: {
      limit: "5 sessions at once",
      holders: ["s0", "s1", "s2", "s3", "s4"],
      others: 0,
      own: "sessions",
      retryAfterMs: 60_000,
    },
  });
  assert.ok(sessions.open(caller("s0")));
});

test("an unused session makes room first, and its client gets no error", () => {
  const { sessions, changes } = open();
  for (let index = 0; index < 4; index++) sessions.open(caller(`s${index}`)).hasAnswered = true;
  const refused = sessions.open(caller("refused"));
  const leave = sessions.begin(refused);
  assert.throws(() => sessions.open(caller("more")), { type: "BUSY" }, "its call is under way");
  leave();
  sessions.open(caller("more"));
  assert.deepEqual(changes.slice(5), ["refused expired", "more opened"]);
  sessions.close(sessions.of(caller("more")) as Session);
  assert.ok(sessions.open(caller("refused")), "nothing that it had is lost");
});

test("the error for a client with all sessions lists them, the longest idle first", () => {
  const { sessions, clock } = open();
  for (let index = 0; index < 5; index++) {
    sessions.open(caller(`s${index}`)).hasAnswered = true;
    clock.pass(10);
  }
  sessions.open(caller("s0"));
  assert.throws(
    () => sessions.open(caller("one more")),
    ({ data }) => data.holders[0] === "s1" && data.holders.at(-1) === "s0",
  );
});

test("at the bound, a client above its share loses its longest idle session", () => {
  const { sessions, clock, changes } = open();
  for (let index = 0; index < 5; index++) {
    sessions.open(caller(`s${index}`)).hasAnswered = true;
    clock.pass(10);
  }
  sessions.open(caller("s0"));
  const client = { name: "ci", control: "none" } as const;
  const of = (session: string) => ({ ...caller(session), client, key: `ci/${session}` });
  for (const id of ["a", "b"]) sessions.open(of(id)).hasAnswered = true;
  assert.throws(() => sessions.open(of("c")), { type: "BUSY" });
  assert.deepEqual(changes.slice(5), ["s1 expired", "a opened", "s2 expired", "b opened"]);
  sessions.close(sessions.list()[0] as Session);
  assert.throws(() => sessions.open(caller("s1")), {
    type: "SESSION_EXPIRED",
    data: { session: "s1", reason: "another client had less than its share of all sessions" },
  });
});

test("a client that takes all sessions keeps no other client out, and gets no more", () => {
  const limits = { sessions: 10_000, sessionIdle: 60_000, sessionMax: 600_000 };
  const sessions = new Sessions({ limits, firstRole: "first", clock: fakeClock() });
  const of = (name: string, session: string) => ({
    ...caller(session),
    client: { name, control: "none" } as const,
    key: `${name}/${session}`,
  });
  for (let index = 0; index < limits.sessions; index++)
    sessions.open(of("greedy", `s${index}`)).hasAnswered = true;
  for (let index = 0; index < 20; index++) sessions.open(of("modest", `s${index}`)).hasAnswered = true;
  assert.throws(() => sessions.open(of("greedy", "more")), { type: "BUSY" });
  assert.equal(sessions.size, limits.sessions);
  assert.equal(sessions.list().filter(({ client }) => client === "modest").length, 20);
});

test("the longest unused session is found of those that hibernate in all of their roles", () => {
  const { sessions, clock } = open();
  for (const id of ["awake", "resting", "later"]) {
    const { visits } = sessions.open(caller(id));
    visits.set("one", { state: "HIBERNATED", isReported: false });
    visits.set("two", id === "awake" ? { state: "AWAKE", deathsKnown: 0 } : { state: "INTERRUPTED" });
    clock.pass(10);
  }
  assert.equal(longestAtRest(sessions)?.id, "resting");
});

test("a client's own bound of sessions does not affect other clients", () => {
  const { sessions } = open();
  const client = { name: "ci", control: "none", sessions: 2 } as const;
  const of = (session: string) => ({ ...caller(session), client, key: `ci/${session}` });
  const [first, second] = [sessions.open(of("a")), sessions.open(of("b"))];
  for (const each of [first, second]) each.hasAnswered = true;
  assert.throws(() => sessions.open(of("c")), {
    type: "BUSY",
    data: {
      limit: "ci may have 2 sessions at once",
      holders: ["a", "b"],
      own: "sessions",
      retryAfterMs: 60_000,
    },
  });
  assert.ok(sessions.open(of("a")), "what it has it goes on with");
  assert.ok(sessions.open(caller("c")));
  sessions.close(second);
  assert.equal(sessions.open(of("c"), "admin").currentRole, "admin");
});

test("a session that its client left goes on as a new one in the same role, without an error", () => {
  const { sessions, changes } = open();
  const first = sessions.open(caller("a"));
  const beside = sessions.open({ ...caller("a~other"), key: "local/a~other", name: "other" });
  first.currentRole = "second";
  sessions.leave(first);
  assert.equal(first.over.signal.aborted, true);
  assert.equal(sessions.of(beside), beside);
  const again = sessions.open(caller("a", "a-word"));
  assert.notEqual(again, first);
  assert.equal(again.currentRole, "second");
  assert.equal(sessions.open(caller("a", "a-word")), again);
  assert.deepEqual(changes, ["a opened", "a~other opened", "a closed", "a opened"]);
  sessions.leave(again);
  assert.equal(sessions.beside(caller("a", "a-word")).currentRole, "second");
});
