// Tests that a document that was read ahead is shown as it is when it is asked for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageScripts } from "../../../worker/tab/bridge-bundle.ts";
import { bundlePage, openBridge } from "../../harness/page.ts";
import { HOLD_IDLE } from "./hold-idle.ts";

const SEEDS = Number(process.env.TEST_SEEDS ?? 300);

const bridge = await openBridge();
const ROWS = Array.from({ length: 200 }, (_, row) => `<li id=row${row}><a href=/${row}>Row ${row}</a>`).join(
  "",
);
const LIST = `<!doctype html><title>List</title><ul>${ROWS}</ul>`;

/** Runs an idle period that ends after so many questions. */
const idleFor = (questions: number) =>
  `{ let left = ${questions}; const run = nextIdle; nextIdle = undefined; run({ timeRemaining: () => (left-- > 0 ? 50 : 0) }); nextIdle !== undefined }`;

async function readAhead(content: string): Promise<void> {
  await bridge.open(content);
  await bridge.inWorld(HOLD_IDLE);
  await bridge.call("probe", 0);
  await bridge.call("readAhead");
}

test("a document that is read in many idle periods has the tree that it has at once", async () => {
  const atOnce = await bridge.treeOf(LIST);
  await readAhead(LIST);
  let periods = 1;
  while (await bridge.inWorld(idleFor(3))) periods++;
  assert.ok(periods > 3, `${periods} periods`);
  assert.equal(await bridge.tree({ styleMoved: false }), atOnce);
});

test("a look in the middle ends the reading at once", async () => {
  const atOnce = await bridge.treeOf(LIST);
  await readAhead(LIST);
  assert.equal(await bridge.inWorld(idleFor(3)), true);
  assert.equal(await bridge.tree({ styleMoved: false }), atOnce);
  assert.equal(await bridge.inWorld("nextIdle({ timeRemaining: () => 50 })"), undefined);
  assert.equal(await bridge.tree({ styleMoved: false }), atOnce);
});

test("a change in the middle ends the reading, and the look reads all", async () => {
  await readAhead(LIST);
  assert.equal(await bridge.inWorld(idleFor(3)), true);
  await bridge.run("for (let row = 5; row < 200; row++) document.getElementById('row' + row).remove()");
  assert.equal(await bridge.inWorld(idleFor(100)), false);
  const text = await bridge.tree({ styleMoved: true });
  assert.deepEqual(text.match(/Row \d+/g), ["Row 0", "Row 1", "Row 2", "Row 3", "Row 4"]);
});

test("a change after it is read with the look", async () => {
  await readAhead(LIST);
  assert.equal(await bridge.inWorld(idleFor(1_000)), false);
  await bridge.run("document.querySelector('#row7 a').firstChild.data = 'Changed'");
  assert.match(await bridge.tree({ styleMoved: false }), /link "Changed"/);
});

test("a rule that shows something in the middle ends the reading", async () => {
  await readAhead(`<!doctype html><title>Late</title>
    <style>#late { visibility: hidden } body:has(#hot:hover) #late { visibility: visible }</style>
    <section aria-label=Box><p>Item</p><p id=late>Late</p></section><ul>${ROWS}</ul><p id=hot>Hot</p>`);
  assert.equal(await bridge.inWorld(idleFor(3)), true);
  await bridge.page.hover("#hot");
  assert.equal(await bridge.inWorld(idleFor(1_000)), false);
  await bridge.run("hot.firstChild.data = 'Changed'");
  assert.match(await bridge.tree({ styleMoved: true }), /Late(.|\n)*Changed/);
});

test(`${SEEDS} random pages that are read ahead, with changes, have the right tree`, async () => {
  const script = `globalThis.bridgeScript = ${JSON.stringify((await pageScripts()).bridge)};${await bundlePage("read-ahead")}`;
  await bridge.open("<!doctype html><title>Random</title>");
  await bridge.inWorld(script);
  for (let seed = 1; seed <= SEEDS; seed++)
    assert.equal(await bridge.inWorld(`runAhead(${seed})`), undefined);
});
