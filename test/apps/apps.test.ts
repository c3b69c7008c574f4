// Applications of real libraries: the quickest of those that `npm run test:apps` plays, one of each kind.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTroupe, type Troupe } from "../e2e/troupe.ts";
import { everyTime } from "./every-time.ts";
import { faultsOf } from "./figures.ts";
import { play } from "./play.ts";

let troupe: Troupe;
before(async () => {
  troupe = await startTroupe();
});
after(() => troupe[Symbol.asyncDispose]());

for (const name of everyTime)
  test(`every reply tells what happened in the application ${name}`, async () => {
    assert.deepEqual(faultsOf(await play(name, troupe)), []);
  });
