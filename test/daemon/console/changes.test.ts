import assert from "node:assert/strict";
import { test } from "node:test";
import { changeBetween, changed } from "../../../daemon/console/changes.ts";
import {
  type CallView,
  type ConsoleState,
  RECORDS_MAX,
  type SessionView,
} from "../../../daemon/console/wire.ts";

const session = (key: string, more: Partial<SessionView> = {}): SessionView => ({
  key,
  id: key,
  client: "local",
  program: "",
  door: "socket",
  currentRole: "visitor",
  createdAtMs: 1,
  usedAtMs: 1,
  roles: [],
  title: "",
  lastCall: null,
  ...more,
});

const call = (requestId: string): CallView => ({
  tool: "browser_click",
  role: "visitor",
  session: "s1",
  client: "local",
  outcome: "OK",
  durationMs: 1,
  atMs: 1,
  requestId,
});

const empty: ConsoleState = {
  status: { version: "1", startedAtMs: 0, warnings: [] },
  load: { draining: false, callsUnderWay: 0 },
  roles: [],
  sessions: {},
  sessionCount: 0,
  calls: [],
  failures: [],
  episodes: [],
  recovery: [],
  waits: [],
  recoverySpans: [],
  callSpans: [],
};

const states: ConsoleState[] = [
  empty,
  { ...empty, sessions: { a: session("a"), b: session("b") }, sessionCount: 2 },
  { ...empty, sessions: { b: session("b", { title: "new" }) }, sessionCount: 1 },
  { ...empty, status: { ...empty.status, warnings: ["one"] } },
  {
    ...empty,
    status: { ...empty.status, warnings: ["one", "two"] },
    load: { draining: true, callsUnderWay: 1 },
  },
];

test("a state with the change to another state is that state", () => {
  for (const before of states)
    for (const after of states) {
      const change = changeBetween(before, after);
      assert.deepEqual(change ? changed(before, JSON.parse(JSON.stringify(change))) : before, after);
      assert.equal(change === undefined, before === after);
    }
});

test("a change names only the sessions that differ", () => {
  const [, both, one] = states as [ConsoleState, ConsoleState, ConsoleState];
  assert.deepEqual(changeBetween(both, one)?.sessions, { a: null, b: one.sessions.b });
  assert.equal(changeBetween(both, { ...both, sessionCount: 3 })?.sessions, undefined);
});

test("records are added to the newest, and the oldest go beyond the bound", () => {
  const many = Array.from({ length: RECORDS_MAX }, (_, index) => call(`r${index}`));
  const { calls } = changed({ ...empty, calls: many }, { calls: [call("new")] });
  assert.deepEqual([calls.length, calls[0]?.requestId, calls.at(-1)?.requestId], [RECORDS_MAX, "r1", "new"]);
});

test("a session may be named like a property of every object", () => {
  const sessions = { __proto__x: session("__proto__x"), constructor: session("constructor") };
  const change = changeBetween(empty, { ...empty, sessions });
  assert.deepEqual(changed(empty, change ?? {}).sessions, sessions);
});
