// One fault from its arrangement to its end: the call that fails, and what an agent makes of that.
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import type { Profile } from "../../proto/tools/catalogue.ts";
import type { Fault, Situation } from "./fault.ts";
import { type Attempt, followPlan, type Heard, repeatAfterLook } from "./literal-agent.ts";
import type { Stage, Theatre } from "./stage.ts";

/** plan: does what the error says. message: is told that it failed and why, and does what comes naturally. */
export type Reader = "plan" | "message";

/** Calls that a plan may take. */
export const CALLS_MAX = 3;

export interface Outcome {
  fault: Fault;
  /** The failed call's reply. */
  failed: Heard;
  error: ErrorDetail;
  profile: Profile;
  /** Its end is that of the failed call: by the plan alone, or by that and an intent. */
  isPlayedOut: boolean;
  /** Of faults that recover, and of those whose plan asks: as far as it can be followed. */
  attempt?: Attempt;
  /** The failed call's purpose was reached; where the plan asks, nothing else was done meanwhile. */
  reached: boolean;
}

/** Arranges a fault and has the reader go on from there. Throws where the call does not fail as the fault says. */
export async function play(theatre: Theatre, fault: Fault, reader: Reader): Promise<Outcome> {
  return await theatre.play((stage) => playOn(stage, fault, reader));
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
    // Answered beside the call, it says that the call is under way.
    await agent.call("browser_console_messages");
    await during();
  }
  return await reply;
}
