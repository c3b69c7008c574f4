// Applications of real libraries: one of each kind that `npm run test:apps` plays.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { shared } from "../harness/shared.ts";
import { startTroupe } from "../harness/troupe.ts";
import { everyTime } from "./every-time.ts";
import { faultsOf } from "./figures.ts";
import { play } from "./play.ts";

const troupe = shared(await startTroupe());

// They wait for transitions more than they compute.
describe("every reply tells what happened", { concurrency: 2 }, () => {
  for (const name of everyTime)
    test(`in the application ${name}`, async () => {
      assert.deepEqual(faultsOf(await play(name, troupe)), []);
    });
});

describe("browser_steps does the same in a third of the calls", { concurrency: 2 }, () => {
  for (const name of ["alpine", "forms"])
    test(`in the application ${name}`, async () => {
      const [alone, inSteps] = await Promise.all([play(name, troupe), play(name, troupe, { inSteps: true })]);
      assert.deepEqual(faultsOf(inSteps), []);
      assert.ok(inSteps.calls * 3 <= alone.calls, `${inSteps.calls} calls instead of ${alone.calls}`);
    });
});
