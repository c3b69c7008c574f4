// Tests what frames are asked before they are read, and the conclusions from the answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../../worker/core/call.ts";
import type { SeenFrame } from "../../../worker/refs/delivered.ts";
import { probeChanges } from "../../../worker/snapshot/change-probe.ts";
import type { Frame } from "../../../worker/tab/frames/frame.ts";
import { Page } from "../../../worker/tab/page.ts";
import type { Tab } from "../../../worker/tab/tab.ts";

interface FrameFacts {
  /** The answer of its bridge. */
  isUnchanged: boolean;
  /** Chrome's count when it was last read. */
  styleCount: number;
  isNew?: boolean;
  isNavigated?: boolean;
}

/** Probes the first of the frames. All are in one process, whose count is 10 now. */
async function probeAt(facts: FrameFacts[]) {
  const asked: string[] = [];
  const client = {
    async send(method: string, request?: { uniqueContextId: string; arguments: { value: unknown }[] }) {
      const world = request?.uniqueContextId;
      asked.push(world === undefined ? method : `${request?.arguments[0]?.value} ${world}`);
      if (method === "Performance.getMetrics")
        return {
          metrics: [
            { name: "RecalcStyleCount", value: 10 },
            { name: "JSEventListeners", value: 100 },
          ],
        };
      const isUnchanged = facts[Number(world?.slice(1))]?.isUnchanged;
      return { result: { value: { answer: { isUnchanged, ownListeners: 3 }, seen: 1 } } };
    },
  };
  const frames = facts.map(({ styleCount }, number) => {
    const world = { uniqueId: `w${number}`, contextId: number };
    return { id: `f${number}`, number, client, world, styleCount } as unknown as Frame;
  });
  const seen = new Map<string, SeenFrame>();
  for (const [number, { isNew, isNavigated }] of facts.entries()) {
    const world = isNavigated ? "earlier" : `w${number}`;
    if (!isNew) seen.set(`f${number}`, { world, snapshot: 1, elementCount: 1, holes: [] });
  }
  const [main, ...children] = frames;
  const tab = {
    frames: { main, children, worldOf: async (frame: Frame) => frame.world },
    interrupts: { check: () => undefined, guard: (promise: Promise<unknown>) => promise },
  };
  const call = { signal: new AbortController().signal };
  const page = new Page(tab as unknown as Tab, call as unknown as Call);
  // The reply shows the main frame, which was read before, and no other: a probe reads nothing.
  page.worlds.set(0, "w0");
  page.trees.set(0, { snapshot: 7, since: 5 });
  const probes = await probeChanges(page, frames[0] as Frame, seen);
  assert.deepEqual(
    [...page.worlds, ...page.trees],
    [
      [0, "w0"],
      [0, { snapshot: 7, since: 5 }],
    ],
  );
  return {
    asked,
    moved: frames.map((frame) => probes.get(frame)?.styleMoved),
    listeners: frames.map((frame) => probes.get(frame)?.listenerCount),
  };
}

test("Chrome counts after all bridges of the process have had styles computed", async () => {
  const { asked } = await probeAt([
    { isUnchanged: true, styleCount: 10 },
    { isUnchanged: true, styleCount: 10 },
  ]);
  assert.deepEqual(asked, ["probe w0", "probe w1", "Performance.getMetrics"]);
});

test("if styles moved, an unchanged frame has them moved elsewhere if another frame has changed", async () => {
  const calm = { isUnchanged: true, styleCount: 9 };
  const busy = { isUnchanged: false, styleCount: 9 };
  assert.deepEqual((await probeAt([calm, busy, calm])).moved, ["elsewhere", true, "elsewhere"]);
  assert.deepEqual((await probeAt([busy, calm])).moved, [true, "elsewhere"]);
  assert.deepEqual((await probeAt([calm, { ...calm, isNavigated: true }])).moved, ["elsewhere", undefined]);
});

test("if styles moved and no frame reports a change, or there is only one, any may have changed", async () => {
  const calm = { isUnchanged: true, styleCount: 9 };
  assert.deepEqual((await probeAt([calm])).moved, [true]);
  assert.deepEqual((await probeAt([calm, calm])).moved, [true, true]);
  assert.deepEqual((await probeAt([calm, { ...calm, isUnchanged: false, isNew: true }])).moved, [
    true,
    undefined,
  ]);
  assert.deepEqual((await probeAt([{ ...calm, styleCount: 10 }, calm])).moved, [false, true]);
});

test("listeners of the bridges themselves are not counted", async () => {
  const calm = { isUnchanged: true, styleCount: 10 };
  assert.deepEqual((await probeAt([calm, calm])).listeners, [94, 94]);
});
