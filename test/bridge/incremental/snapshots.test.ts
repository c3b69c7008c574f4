// Tests how long delivered trees are known by number, within a bound.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundlePage, openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const look = async (since?: number) =>
  await bridge.call("tree", { styleMoved: false, ...(since !== undefined && { since }) });

/** Reads the tree after each of `count` changes, and returns the number of the last tree. */
async function changes(count: number, script: string): Promise<number> {
  let last = 0;
  for (let at = 0; at < count; at++) {
    await bridge.run(script);
    last = (await look()).snapshot;
  }
  return last;
}

test("an unchanged tree keeps its number, a changed one gets the next, and a part has its own", async () => {
  await bridge.open("<!doctype html><ul><li><button>A</button></ul>");
  assert.deepEqual([(await look()).snapshot, (await look()).snapshot], [1, 1]);
  const part = await bridge.call("tree", { ref: "e1" });
  assert.deepEqual([part.snapshot, (await look()).snapshot, await bridge.call("newestTree")], [2, 1, 1]);
  await bridge.run("document.querySelector('button').textContent = 'B'");
  assert.deepEqual([(await look()).snapshot, await bridge.call("newestTree")], [3, 3]);
});

const CHANGE = "document.querySelector('button').textContent += 'x'";

test("a delta can refer to an old tree, within a bound", async () => {
  await bridge.open(`<!doctype html><ul><li><button>A</button></ul>${"<p>text</p>".repeat(200)}`);
  const { snapshot: first } = await look();
  await changes(40, CHANGE);
  assert.equal((await look(first)).kind, "delta");
  await changes(60, CHANGE);
  assert.equal((await look(first)).kind, "full");
});

test("the session's trees stay known, however many trees a watcher has read since", async () => {
  await bridge.open("<!doctype html><ul><li><button>A</button></ul>");
  const { snapshot: told } = await look();
  let passing = 0;
  for (let at = 0; at < 100; at++) {
    await bridge.run(CHANGE);
    passing = (await bridge.call("tree", { styleMoved: false, watching: true })).snapshot;
  }
  const changed = await bridge.call("ready", "e1", "click", { line: told, row: told });
  assert.deepEqual("now" in changed && [changed.element.name, changed.forgotten], ["A", undefined]);
  const seen = await bridge.call("tree", { styleMoved: false, watching: true, since: passing });
  assert.equal(seen.kind, "unchanged");
});

test("a watcher's tree is known as long as it is held", async () => {
  await bridge.open("<!doctype html><ul><li><button>A</button></ul>");
  await look();
  await bridge.run(CHANGE);
  const { snapshot: shown } = await bridge.call("tree", { styleMoved: false, watching: true });
  for (let at = 0; at < 100; at++) {
    await bridge.run(CHANGE);
    await bridge.call("tree", { styleMoved: false, watching: true, held: [shown] });
  }
  const told = { line: shown, row: shown };
  const changed = await bridge.call("ready", "e1", "click", told);
  assert.deepEqual("now" in changed && [changed.element.name, changed.forgotten], ["Ax", undefined]);
  for (let at = 0; at < 30; at++) {
    await bridge.run(CHANGE);
    await bridge.call("tree", { styleMoved: false, watching: true, held: [] });
  }
  const forgotten = await bridge.call("ready", "e1", "click", told);
  assert.equal("now" in forgotten && forgotten.forgotten, true);
});

test("a watcher's large trees are dropped before the session's, and its held trees last", async () => {
  await bridge.open("<!doctype html>");
  await bridge.inWorld(await bundlePage("keep-trees"));
  assert.deepEqual(await bridge.inWorld("keepTrees()"), {
    watched: [true, true, false],
    told: [false, false, false],
  });
});

test("rows that are added to kept trees count", async () => {
  await bridge.open("<!doctype html>");
  await bridge.inWorld(await bundlePage("keep-trees"));
  assert.equal(await bridge.inWorld("keepGrowing()"), 15);
});
