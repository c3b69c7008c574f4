// Plays one fault from its arrangement to its end: the failed call, and an agent's reaction.
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import type { Profile } from "../../proto/tools/read-tools.ts";
import type { Fault, Situation } from "./stage/fault.ts";
import type { FaultHarness, Stage } from "./stage/fault-harness.ts";
import { type Attempt, followPlan, type Heard, repeatAfterLook } from "./stage/literal-agent.ts";

/** plan: follows the error's steps. message: gets only the message, and repeats its call after a snapshot. */
export type Reader = "plan" | "message";

/** The calls that a plan may take. */
export const CALLS_MAX = 3;

export interface Outcome {
  fault: Fault;
  /** The failed call's reply. */
  failed: Heard;
  error: ErrorDetail;
  profile: Profile;
  /** True if the fault can be played to its end: by the plan alone, or by plan and intent. */
  isPlayedOut: boolean;
  /** The attempt, for faults that recover or ask, as far as the plan can be followed. */
  attempt?: Attempt;
  /** True if the call's purpose was reached. For a plan that asks, no unintended action may have happened. */
  reached: boolean;
}

/** Arranges a fault and lets the reader go on from there. Throws if the call does not fail as the fault says. */
export async function play(harness: FaultHarness, fault: Fault, reader: Reader): Promise<Outcome> {
  return await harness.play((stage) => playOn(stage, fault, reader));
}

async function playOn(stage: Stage, fault: Fault, reader: Reader): Promise<Outcome> {
  const situation = await fault.arrange(stage);
  const { agent, tool, args, profile = "core" } = situation;
  const failed = await callIn(situation);
  const { error } = failed;
  if (error?.type !== fault.type)
    throw new Error(`${fault.name}: ${tool} should have failed with ${fault.type}, but: ${failed.text}`);
  await situation.failed?.();
  const isPlayedOut = fault.recovers === "yes" || situation.intent !== undefined;
  const outcome: Outcome = { fault, failed, error, profile, isPlayedOut, reached: false };
  if (fault.recovers === "no") return outcome;
  const { intent } = situation;
  if (fault.recovers === "asks" && !intent) {
    const attempt = await followPlan(agent, failed);
    return { ...outcome, attempt, reached: isUnharmed(situation) };
  }
  const attempt =
    reader === "plan"
      ? await followPlan(agent, failed, intent)
      : await repeatAfterLook(agent, failed, tool, args);
  const last = attempt.heard.at(-1) ?? failed;
  return {
    ...outcome,
    attempt,
    reached: ((await situation.reached?.(last)) ?? false) && isUnharmed(situation),
  };
}

function isUnharmed({ unharmed }: Situation): boolean {
  return unharmed?.() ?? true;
}

async function callIn({ agent, tool, args, during }: Situation): Promise<Heard> {
  const reply = agent.call(tool, args);
  if (during) {
    // An answer to this call beside the other one shows that the other is under way.
    await agent.call("browser_console_messages");
    await during();
  }
  return await reply;
}
