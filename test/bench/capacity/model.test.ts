// The model's arithmetic, with figures that are easy to reckon with.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsOf, browserHour, type Figures, needOf, SESSIONS_MAX } from "./model.ts";

const each = (value: number) => ({ daemon: 0, worker: 0, browser: value });
const rate = { perSecond: 1000, medianMs: 1, p99Ms: 1, databaseMs: 1 };
const figures: Figures = {
  footprint: {
    daemonMiB: 100,
    roleMiB: each(1024),
    awakeMiB: { 10: each(1), 1250: each(102.4) },
    idleMs: { awake: 0, frozen: 0 },
    resting: { memoryKiB: 0, storeKiB: 1, idleMs: 0 },
    callMs: { look: each(100), click: each(100), navigate: each(100), begin: each(1), wake: each(0) },
  },
  directory: {
    pods: 100,
    sessions: 10_000,
    connections: 500,
    begins: rate,
    lookUps: rate,
    writes: rate,
    heartbeatMs: 100,
    takeOver: { sessions: 100, askers: 10, totalMs: 1 },
    sessionKiB: 1024,
  },
};

test("1,000 sessions need ten pods, their memory, and one write for each call that acts or uses", () => {
  const { awake, pods, memoryGiB, cores, connections, storageGiB } = needOf(1000, figures);
  assert.deepEqual(
    { awake, pods, memoryGiB, connections, storageGiB: Math.round(storageGiB) },
    { awake: 60, pods: 10, memoryGiB: 16, connections: 90, storageGiB: 1 },
  );
  assert.ok(Math.abs(cores - 0.6) < 1e-9);
});

test("a browser-hour costs its share of a machine whose memory or processors are full", () => {
  // 6 GiB are planned for, and 1 GiB is the pod's.
  assert.deepEqual(browserHour(1250, figures), { byMemory: 50, byProcessors: 150, usd: 0.002 });
  assert.equal(browserHour(10, figures).usd, 0.1 / 150);
});

test("the smallest installation has two pods", () => {
  assert.equal(needOf(1, figures).pods, 2);
});

test("the bound that is reached first stands at the top, and one that is never reached says so", () => {
  const bounds = boundsOf(figures);
  assert.match(bounds[0]?.resource ?? "", /default/);
  assert.deepEqual(
    bounds.map(({ sessions }) => sessions),
    bounds.map(({ sessions }) => sessions).toSorted((one, other) => one - other),
  );
  const idle = { ...figures, directory: { ...figures.directory, writes: { ...rate, perSecond: 1e9 } } };
  const writes = boundsOf(idle).find(({ resource }) => resource === "the database's writes");
  assert.ok((writes?.sessions ?? 0) >= SESSIONS_MAX - 100);
});
