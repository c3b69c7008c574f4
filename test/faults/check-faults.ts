// The tests of a part of the catalogue: each fault is arranged once, its text looked at, and its plan followed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Fault } from "./fault.ts";
import { complaintsAbout } from "./plan-complaints.ts";
import { CALLS_MAX, type Outcome, play } from "./play.ts";
import { openTheatre, type Theatre } from "./stage.ts";

/** Declares a test for each fault, on one daemon for all. */
export function checkFaults(faults: readonly Fault[]): void {
  describe("what goes wrong is told with a plan that mends it", { concurrency: 3 }, () => {
    let theatre: Theatre;
    before(async () => {
      theatre = await openTheatre();
    });
    after(() => theatre[Symbol.asyncDispose]());
    for (const fault of faults)
      test(`${fault.type}: ${fault.name}`, async () => check(await play(theatre, fault, "plan"), theatre));
  });
}

function check({ fault, failed, error, profile, attempt, reached }: Outcome, { own }: Theatre): void {
  assert.deepEqual(complaintsAbout(failed.text, error, profile, own), [], failed.text);
  assert.equal(error.recoverable, fault.recovers !== "no", failed.text);
  if (fault.recovers === "asks") {
    const asks = error.steps.some(({ tool }) => tool === undefined);
    assert.ok(asks, `nobody is asked anything:\n${failed.text}`);
  }
  if (!attempt) return;
  const heard = attempt.heard.map(({ text }) => text).join("\n\n———\n\n");
  assert.ok(reached, `${attempt.stopped ?? "all steps were done, in vain"}:\n${heard}`);
  assert.ok(attempt.calls <= CALLS_MAX, heard);
}
