// What a page makes of an action is watched while the action lasts.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openBridge } from "../fixture.ts";

const bridge = await openBridge();
after(() => bridge.close());

const INPUT = {
  cause: "input",
  unheard: false,
  scrolls: false,
  sinceCauseMs: 0,
  sinceActionMs: 0,
  timeMs: 3_000,
} as const;

/** Counts the mutations that are told to observers that began from now on. */
const COUNTING = `globalThis.told = 0;
  const Before = MutationObserver;
  globalThis.MutationObserver = class extends Before {
    constructor(run) { super((...given) => { told++; run(...given) }) }
  }`;

test("a page that has been told is watched until it is known how it changes by itself, and with the next action again", async () => {
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
    // Two are enough to know it, and it is with the one after them that nothing more is watched.
    assert.equal(await bridge.inWorld("told"), 4 * times);
  }
});
