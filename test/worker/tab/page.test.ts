// Tests questions to a page without a bridge.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../../worker/core/call.ts";
import type { Frame } from "../../../worker/tab/frames/frame.ts";
import { Page } from "../../../worker/tab/page.ts";
import type { Tab } from "../../../worker/tab/tab.ts";

/** Asks if the page is calm. `comes`: the bridge exists once its script has run. */
async function ask(comes: boolean) {
  const asked: string[] = [];
  let isThere = false;
  const client = {
    async send(method: string, { expression }: { expression?: string }) {
      asked.push(expression ? `${method} ${expression}` : method);
      if (method === "Runtime.evaluate") isThere = comes;
      return { result: isThere ? { value: { answer: 1, seen: 1 } } : {} };
    },
  };
  const world = { uniqueId: "w", contextId: 1 };
  const frame = { id: "f", number: 0, client, world, styleCount: 0 } as unknown as Frame;
  const tab = {
    owner: { bridge: "the bridge" },
    frames: { main: frame, children: [], worldOf: async () => world },
    interrupts: { check: () => undefined, guard: (promise: Promise<unknown>) => promise },
  };
  const call = { signal: new AbortController().signal };
  const page = new Page(tab as unknown as Tab, call as unknown as Call);
  return { asked, answer: page.ask(frame, "countMet") };
}

test("a bridge that was stopped during its set-up is set up again, and then answers", async () => {
  const { asked, answer } = await ask(true);
  assert.equal(await answer, 1);
  assert.deepEqual(asked, [
    "Runtime.callFunctionOn",
    "Runtime.evaluate the bridge",
    "Runtime.callFunctionOn",
  ]);
});

test("a bridge that cannot be set up is not retried for ever", async () => {
  const { asked, answer } = await ask(false);
  await assert.rejects(answer, /there is no bridge/);
  assert.equal(asked.length, 3);
});
