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

test("a script that hears of the input late is waited for", async () => {
  await bridge.open("<p id=out></p>");
  await bridge.call("beginReaction");
  // Both are sent at once, so the timer ends after the question on a busy machine, too.
  const begun = bridge.run("setTimeout(() => { out.textContent = 'late' }, 60)");
  const [{ news }] = await Promise.all([bridge.call("reacted", { ...INPUT, unheard: true }), begun]);
  assert.equal(news, true);
});

/** Counts the frames that the bridge waits for from now on, when they come. */
const COUNTING_FRAMES = `globalThis.frames = 0;
  const request = requestAnimationFrame;
  globalThis.requestAnimationFrame = (run) => request((...given) => { frames++; run(...given) });`;

test("a page that has shown something new is left without a frame that is still to come", async () => {
  await bridge.open("<p id=out></p>");
  await bridge.inWorld(COUNTING_FRAMES);
  await bridge.call("beginReaction");
  await bridge.run("out.textContent = 'new'");
  assert.equal((await bridge.call("reacted", INPUT)).news, true);
  await bridge.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  assert.equal(await bridge.inWorld("frames"), 0);
});

for (const [what, content, frames] of [
  ["without scripts", "<p>Words</p>", 0],
  ["with a script", "<p>Words</p><script></script>", 2],
  ["with a script in a drawing", "<svg><script></script></svg>", 2],
  ["with a handler of events", "<body onload='1'><p>Words</p>", 2],
  ["with many elements", "<p>Words</p>".repeat(2_001), 2],
] as const)
  test(`a page that arrives ${what} is left after ${frames} frames`, async () => {
    await bridge.open(content);
    await bridge.inWorld(COUNTING_FRAMES);
    const { isScriptless } = await bridge.call("reacted", { ...INPUT, cause: "arrival" });
    await bridge.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    assert.deepEqual([isScriptless, await bridge.inWorld("frames")], [frames === 0, frames]);
  });

test("a page in which a script may have run is awaited even if it holds none", async () => {
  await bridge.open("<p>Words</p>");
  await bridge.inWorld(COUNTING_FRAMES);
  const { isScriptless } = await bridge.call("reacted", { ...INPUT, cause: "arrival", isScripted: true });
  await bridge.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  assert.deepEqual([isScriptless, await bridge.inWorld("frames")], [false, 2]);
});
