// Tests a part of the catalogue: arranges each fault once, checks its text, and follows its plan.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CANDIDATE, type ErrorDetail } from "../../proto/errors/catalogue.ts";
import { complaintsAbout } from "./plan-complaints.ts";
import { CALLS_MAX, type Outcome, play } from "./play.ts";
import type { Fault } from "./stage/fault.ts";
import { type FaultHarness, openFaultHarness } from "./stage/fault-harness.ts";
import { plansGivenTwice } from "./stage/literal-agent.ts";

/** Declares a test for each fault, on one daemon for all. */
export function checkFaults(faults: readonly Fault[]): void {
  describe("each fault's error has a plan that resolves it", { concurrency: 2 }, () => {
    let harness: FaultHarness;
    before(async () => {
      harness = await openFaultHarness();
    });
    after(() => harness[Symbol.asyncDispose]());
    for (const fault of faults)
      test(`${fault.type}: ${fault.name}`, async () => check(await play(harness, fault, "plan"), harness));
  });
}

function check({ fault, failed, error, profile, attempt, reached }: Outcome, { own }: FaultHarness): void {
  assert.deepEqual(complaintsAbout(failed.text, error, profile, own), [], failed.text);
  assert.equal(error.recoverable, fault.recovers !== "no", failed.text);
  const callsTool = error.steps.some(({ tool }) => tool !== undefined);
  assert.ok(callsTool || !error.recoverable, `no step calls a tool:\n${failed.text}`);
  if (fault.recovers === "asks") checkAsks(error, failed.text);
  if (!attempt) return;
  const heard = attempt.heard.map(({ text }) => text).join("\n\n———\n\n");
  assert.ok(reached, `${attempt.stopped ?? "all steps were done, in vain"}:\n${heard}`);
  assert.ok(attempt.calls <= CALLS_MAX, heard);
  assert.deepEqual(plansGivenTwice(attempt), [], heard);
}

/** Checks that the plan ends with a question to its reader, and does not choose an element itself. */
function checkAsks({ steps }: ErrorDetail, text: string): void {
  assert.equal(steps.at(-1)?.tool, undefined, `nobody is asked anything in the end:\n${text}`);
  const chosen = steps.filter((step) => Object.values(step.arguments ?? {}).includes(CANDIDATE));
  assert.deepEqual(chosen, [], `the plan chooses itself:\n${text}`);
}
