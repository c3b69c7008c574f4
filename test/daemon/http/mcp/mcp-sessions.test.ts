import assert from "node:assert/strict";
import { test } from "node:test";
import { type Countable, McpSessions } from "../../../../daemon/http/mcp/mcp-sessions.ts";
import { fakeClock } from "../../../harness/fake-clock.ts";

const client = (name: string) => ({ name, control: "none" }) as const;

/** Sessions as far as their number and their use matter. */
function opened(most: number) {
  const clock = fakeClock();
  const closed: string[] = [];
  const sessions = new McpSessions<Countable>({
    clock,
    limits: { sessionIdle: 1000 },
    most,
    ended: ({ id }) => void closed.push(id ?? ""),
  });
  const add = (id: string, owner: string, hasCalls = false) => {
    const session = {
      id,
      client: owner,
      hasCalls,
      usedAtMs: clock.steady(),
      close: async () => sessions.remove(session),
    };
    sessions.add(session);
    return session;
  };
  return { clock, closed, sessions, add };
}

test("an unused session ends, a used one goes on", () => {
  const { clock, closed, add } = opened(10);
  add("a", "ada");
  const b = add("b", "ada");
  clock.pass(900);
  b.usedAtMs = clock.steady();
  clock.pass(100);
  assert.deepEqual(closed, ["a"]);
  clock.pass(900);
  assert.deepEqual(closed, ["a", "b"]);
  assert.equal(clock.pending, 0);
});

test("a client with too many sessions loses its longest unused one", async () => {
  const { clock, closed, sessions, add } = opened(3);
  for (const id of ["a", "b", "c"]) {
    add(id, "ada", id === "a");
    clock.pass(1);
  }
  await sessions.makeRoom(client("ada"));
  assert.deepEqual(closed, ["b"]);
  await sessions.makeRoom(client("ada"));
  assert.deepEqual(closed, ["b"]);
});

test("a newcomer gets its share from the client with most sessions", async () => {
  const { closed, sessions, add } = opened(4);
  for (const id of ["a", "b", "c", "d"]) add(id, "ada");
  await sessions.makeRoom(client("bob"));
  assert.deepEqual(closed, ["a"]);
});

test("where each session is at work, a newcomer is refused", async () => {
  const { sessions, add } = opened(2);
  for (const id of ["a", "b"]) add(id, "ada", true);
  await assert.rejects(sessions.makeRoom(client("ada")), { type: "BUSY" });
});
