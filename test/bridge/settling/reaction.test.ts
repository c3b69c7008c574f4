// Tests that a page's reaction is watched only as long as needed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const INPUT = {
  cause: "input",
  unheard: false,
  scrolls: false,
  sinceCauseMs: 0,
  sinceActionMs: 0,
  timeMs: 3_000,
} as const;

/** Counts the mutation records for observers that are created from now on. */
const COUNTING = `globalThis.told = 0;
  const Before = MutationObserver;
  globalThis.MutationObserver = class extends Before {
    constructor(run) { super((...given) => { told++; run(...given) }) }
  }`;

test("a page is watched until its own changes are known, and again from the next action", async () => {
  await bridge.open("<p id=out>0</p>");
  await bridge.inWorld(COUNTING);
  const change = () => bridge.run("out.textContent = Number(out.textContent) + 1");
  const changeLater = () =>
    bridge.run(
      "new Promise((done) => setTimeout(done, 20)).then(() => { out.textContent = Number(out.textContent) + 1 })",
    );
  for (const times of [1, 2]) {
    await bridge.call("beginReaction");
    await change();
    await bridge.call("reacted", INPUT);
    await bridge.call("endReaction");
    for (let n = 0; n < 6; n++) await changeLater();
    // Two changes are enough to know the page. The watch ends with the next one.
    assert.equal(await bridge.inWorld("told"), 4 * times);
  }
});
