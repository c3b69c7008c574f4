// Whatever a page does, what is told of its changes and the tree that is kept are those of a fresh look at the whole.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bundlePage, openBridge } from "./fixture.ts";

/** All that the issue asks for with TROUPE_SEEDS=2000. */
const SEEDS = Number(process.env.TROUPE_SEEDS ?? 200);
const FIRST = Number(process.env.TROUPE_SEED ?? 1);
const STEPS = 12;
const AT_ONCE = 10;

let bridge: Awaited<ReturnType<typeof openBridge>>;
let script: string;
before(async () => {
  script = await bundlePage("random-changes");
  bridge = await openBridge();
});
after(() => bridge.close());

/** Seeds that failed once, with the steps that it took. */
const KEPT: [seed: number, steps: number[]][] = [
  [1, [0]],
  [12, [4]],
  [33, [0]],
  [258, [8]],
  [1252, [0, 1]],
  [3309, [2, 9]],
];

test("what once was told wrongly is told rightly", async () => {
  await bridge.open("<!doctype html><title>Random</title>");
  await bridge.inWorld(script);
  for (const [seed, steps] of KEPT) {
    assert.equal(await bridge.inWorld(`runSeed(${seed}, ${STEPS}, ${JSON.stringify(steps)})`), undefined);
  }
});

test(`after ${SEEDS} random sequences of changes, what was told is what a fresh look sees`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += AT_ONCE) {
    await bridge.open("<!doctype html><title>Random</title>");
    await bridge.inWorld(script);
    const count = Math.min(AT_ONCE, FIRST + SEEDS - seed);
    const wrong = await bridge.inWorld(`runSeeds(${seed}, ${count}, ${STEPS})`);
    assert.equal(wrong, undefined, `seed ${JSON.stringify(wrong, null, 1)?.replaceAll("\\n", "\n")}`);
  }
});
