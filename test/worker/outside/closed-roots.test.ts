// Tests that the search for closed shadow roots costs no more than the size of the documents justifies.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tree } from "../../../worker/bridge/api/bridge-api.ts";
import { openClosedRoots } from "../../../worker/outside/closed-roots.ts";
import type { Frame } from "../../../worker/tab/frames/frame.ts";
import type { Page } from "../../../worker/tab/page.ts";

/** Returns the commands to Chrome if the main frame and the frames in its process have so many elements. */
async function askedOf(main: number, ...inside: number[]): Promise<string[]> {
  const asked: string[] = [];
  const client = {
    async send(method: string) {
      asked.push(method);
      return { resultCount: main + inside.reduce((sum, count) => sum + count, 0) };
    },
  };
  const world = { uniqueId: "w", contextId: 1 };
  const top = { client, world, unmet: 0 };
  const children = inside.map((count) => ({ client, world, parent: top, count }));
  const page = {
    tab: { frames: { children } },
    ask: async (frame: { count: number }) => frame.count,
    during: (promise: Promise<unknown>) => promise,
  };
  const tree = { met: main, hosts: 0 };
  assert.equal(
    await openClosedRoots(page as unknown as Page, top as unknown as Frame, tree as unknown as Tree),
    false,
  );
  return asked;
}

const SEARCH = ["DOM.enable", "DOM.performSearch", "DOM.disable"];

test("documents that are small together are searched, and large ones are not, whichever is large", async () => {
  assert.deepEqual(await askedOf(4_000), SEARCH);
  assert.deepEqual(await askedOf(2_000, 1_000, 1_000), SEARCH);
  assert.deepEqual(await askedOf(6_000), []);
  assert.deepEqual(await askedOf(10, 6_000), []);
  assert.deepEqual(await askedOf(2_000, 2_000, 2_000), []);
});
