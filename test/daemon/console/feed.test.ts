import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import type { Client } from "../../../daemon/admission/client.ts";
import { Feed, type FeedParts, TICK_MS } from "../../../daemon/console/feed.ts";
import type { EndedCall } from "../../../daemon/telemetry/ended-call.ts";
import { FlightRecorder } from "../../../daemon/telemetry/flight-recorder.ts";
import type { RecordsElsewhere } from "../../../daemon/telemetry/journal.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const boss: Client = { name: "boss", control: "write" };
const reader: Client = { name: "reader", control: "read" };
const agent: Client = { name: "agent", control: "none" };

/** A feed of a daemon without sessions, which counts how often its roles are read. */
function feedOf() {
  const clock = fakeClock();
  const flight = new FlightRecorder();
  const read = { roles: 0, draining: false };
  const elsewhere: RecordsElsewhere = { failures: [], episodes: [] };
  const feed = new Feed({
    control: {
      ListRoles: () => {
        read.roles++;
        return { roles: [] };
      },
      ListApprovals: () => ({ approvals: [] }),
      ListCalls: () => ({ calls: [] }),
      GetStatus: () => ({ version: "1" }),
    },
    status: () => ({ draining: read.draining, callsUnderWay: 0 }),
    supervisor: { names: ["visitor"], roles: new Map() },
    takeOvers: { at: () => undefined, asked: [] },
    cluster: undefined,
    sessions: { list: () => [] },
    journal: {
      recoveryOverTime: () => [],
      callsOverTime: () => [],
      newestElsewhere: () => elsewhere,
    },
    flight,
    clock,
    log: pino({ level: "silent" }),
  } as unknown as FeedParts);
  /** Lets a tick pass, with all that it begins. */
  const tick = async (times = 1) => {
    for (let each = 0; each < times; each++) {
      clock.pass(TICK_MS);
      await setImmediate();
    }
  };
  return { feed, flight, clock, read, tick, elsewhere };
}

/** A page that keeps all its events. */
function watcherOf() {
  const events: string[] = [];
  return { events, send: (event: Buffer) => void events.push(event.toString()) };
}

const call = (client: string, requestId: string) =>
  ({ tool: "browser_click", client, requestId, outcome: "OK" }) as EndedCall;

test("without a page nothing is read or followed", async () => {
  const { feed, read, clock, tick } = feedOf();
  await tick(5);
  assert.deepEqual([read.roles, clock.pending, feed.size], [0, 0, 0]);
});

test("a thousand pages share one reading of the state and each event", async () => {
  const { feed, flight, read, tick } = feedOf();
  const pages = Array.from({ length: 1000 }, watcherOf);
  for (const page of pages) feed.join(boss, page);
  await setImmediate();
  assert.equal(read.roles, 1);
  assert.ok(pages.every(({ events }) => events.length === 1 && events[0]?.startsWith("event: state\n")));
  flight.called(call("agent", "r1"));
  await tick();
  assert.equal(read.roles, 2);
  assert.ok(pages.every(({ events }) => events.length === 2 && events[1]?.includes('"requestId":"r1"')));
});

test("after the last page nothing is read any more", async () => {
  const { feed, read, clock, tick } = feedOf();
  const leave = [feed.join(boss, watcherOf()), feed.join(agent, watcherOf())];
  await tick(2);
  const before = read.roles;
  for (const each of leave) each();
  await tick(5);
  assert.deepEqual([read.roles - before, clock.pending, feed.size], [0, 0, 0]);
});

test("what happens within a tick comes in one change, and a quiet feed sends heartbeats alone", async () => {
  const { feed, flight, tick, read } = feedOf();
  const page = watcherOf();
  feed.join(reader, page);
  await setImmediate();
  for (let index = 0; index < 500; index++) flight.called(call("agent", `r${index}`));
  read.draining = true;
  await tick();
  assert.equal(page.events.length, 2);
  const change = JSON.parse(page.events[1]?.split("data: ")[1] ?? "");
  assert.deepEqual([change.calls.length, change.calls.at(-1).requestId], [200, "r499"]);
  assert.equal(change.load.draining, true);
  await tick(20);
  assert.deepEqual(
    page.events.slice(2).map((event) => event.split("\n")[0]),
    ["event: beat", "event: beat"],
  );
});

test("a client without control gets its own calls only", async () => {
  const { feed, flight, tick } = feedOf();
  const page = watcherOf();
  feed.join(agent, page);
  await setImmediate();
  flight.called(call("other", "not-mine"));
  flight.called(call("agent", "mine"));
  await tick();
  assert.ok(page.events[1]?.includes('"mine"') && !page.events[1].includes("not-mine"));
});

test("a page that left before its first state gets none", async () => {
  const { feed } = feedOf();
  const page = watcherOf();
  feed.join(boss, page)();
  await setImmediate();
  assert.deepEqual(page.events, []);
});

test("failures and episodes of other daemons come once each", async () => {
  const { feed, tick, elsewhere } = feedOf();
  const page = watcherOf();
  const failure = (id: string) =>
    ({ ...call("agent", `r${id}`), outcome: "STALE_REF", recoverable: true, id }) as never;
  elsewhere.failures.push(failure("1"));
  feed.join(boss, page);
  await setImmediate();
  await tick();
  elsewhere.failures.push(failure("2"));
  elsewhere.episodes.push({ id: "1", type: "STALE_REF", outcome: "recovered", client: "agent" } as never);
  await tick(30);
  const all = page.events.join("");
  const times = (text: string) => all.split(text).length - 1;
  assert.equal(times('"requestId":"r1"'), 1, "the first state has the call already");
  assert.equal(times('"requestId":"r2"'), 2, "as a call and as a failure");
  assert.equal(times('"category":"EXECUTION"'), 2, all);
  assert.equal(times('"outcome":"recovered"'), 1);
});
