// Two simple agents: one follows an error's steps to the letter, the other repeats its call after a snapshot.
import { once } from "node:events";
import { CANDIDATE, type ErrorDetail, type Step } from "../../../proto/errors/catalogue.ts";
import type { Json, JsonObject } from "../../../proto/wire/struct.ts";
import { asMessageSays } from "./message-reader.ts";

/** A tool's reply, with the parts that these agents read. */
export interface Heard {
  text: string;
  isError: boolean;
  error: ErrorDetail | undefined;
}

/** An agent that calls tools, through any door. */
export interface Caller {
  call(tool: string, args?: JsonObject): Promise<Heard>;
}

/**
 * The call that an agent with an intent makes if a plan asks. `newest` is the last reply; `all` is every text so far,
 * the error's first.
 */
export type Choice = (newest: string, all: string) => readonly [tool: string, args: JsonObject];

export interface Attempt {
  calls: number;
  /** Every reply, the failed call's first. */
  heard: Heard[];
  /** Choices that an agent with an intent has not made yet. */
  left?: Choice[];
  /** The step that an agent cannot simply follow, or the reason that it could follow none. */
  stopped?: string;
}

/** After this many calls a plan counts as endless. */
const CALLS_MAX = 8;

/**
 * Follows the steps in their order. If one fails, it follows the steps of that error before it goes on. It stops at a
 * step without a tool, unless that step only says what to find for the next one.
 */
export async function followPlan(
  agent: Caller,
  failed: Heard,
  intent: readonly Choice[] = [],
): Promise<Attempt> {
  const attempt: Attempt = { calls: 0, heard: [failed], left: [...intent] };
  if (failed.error) await follow(agent, failed.error, attempt);
  return attempt;
}

/** Returns plans of one fault that came twice, although the first one had been followed. */
export function plansGivenTwice({ heard }: Attempt): string[] {
  const plans = heard.flatMap(({ error }) =>
    error?.recoverable ? [JSON.stringify([error.type, error.tool, error.details, error.steps])] : [],
  );
  return plans.filter((plan, index) => plans.indexOf(plan) < index);
}

/**
 * The agent without a plan: takes a snapshot and repeats its call. A refused value is replaced by the one that the
 * message names.
 */
export async function repeatAfterLook(
  agent: Caller,
  failed: Heard,
  tool: string,
  args: JsonObject,
): Promise<Attempt> {
  const { role, tab } = args;
  const place = { ...(role !== undefined && { role }), ...(tab !== undefined && { tab }) };
  const look = await agent.call("browser_snapshot", place);
  const again = await agent.call(tool, asMessageSays(args, failed.error?.message ?? ""));
  return { calls: 2, heard: [failed, look, again] };
}

/** Resolves with true if all steps were done. */
async function follow(agent: Caller, error: ErrorDetail, attempt: Attempt): Promise<boolean> {
  if (error.retry) await passed(error.retry.afterMs);
  for (const [index, step] of error.steps.entries()) {
    if (step.tool === undefined) {
      if (refersToCandidate(error.steps[index + 1])) continue;
      if (attempt.left?.length) return await choose(agent, attempt, attempt.left);
      attempt.stopped ??= step.text;
      return false;
    }
    const args = resolved(step.arguments ?? {}, error, attempt.heard) as JsonObject | undefined;
    if (args === undefined) {
      attempt.stopped ??= `nothing is the ${error.details.role} ${error.details.name} of: ${step.text}`;
      return false;
    }
    if (attempt.calls === CALLS_MAX) {
      attempt.stopped ??= `${CALLS_MAX} calls were not enough`;
      return false;
    }
    attempt.calls++;
    const reply = await agent.call(step.tool, args);
    attempt.heard.push(reply);
    if (reply.isError && !(reply.error && (await follow(agent, reply.error, attempt)))) return false;
  }
  return true;
}

/** An agent with an intent goes on alone from a step that asks. */
async function choose(agent: Caller, attempt: Attempt, left: Choice[]): Promise<boolean> {
  for (let next = left.shift(); next; next = left.shift()) {
    const texts = attempt.heard.map(({ text }) => text);
    const [tool, args] = next(texts.at(-1) ?? "", texts.join("\n"));
    attempt.calls++;
    const reply = await agent.call(tool, args);
    attempt.heard.push(reply);
    if (reply.isError && !(reply.error && (await follow(agent, reply.error, attempt)))) return false;
  }
  return true;
}

function refersToCandidate(step: Step | undefined): boolean {
  return Object.values(step?.arguments ?? {}).includes(CANDIDATE);
}

/**
 * Replaces placeholders in the arguments by the element's ref. Returns undefined if no element has its role and name.
 */
function resolved(value: Json, error: ErrorDetail, heard: readonly Heard[]): Json | undefined {
  if (value === CANDIDATE) return error.candidates[0]?.ref ?? refInNewest(error, heard);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, resolved(each, error, heard)] as const);
  return entries.some(([, each]) => each === undefined)
    ? undefined
    : (Object.fromEntries(entries) as JsonObject);
}

/** Returns the ref on the first line of the newest snapshot with the role and name. */
function refInNewest({ details }: ErrorDetail, heard: readonly Heard[]): string | undefined {
  const newest = heard.findLast(({ isError, text }) => !isError && /^\s*- /m.test(text));
  const wanted = `- ${details.role} ${JSON.stringify(details.name)}`;
  const line = newest?.text.split("\n").find((each) => each.trimStart().startsWith(wanted));
  return line && /\[ref=(\w+)\]/.exec(line)?.[1];
}

async function passed(ms: number): Promise<void> {
  await once(AbortSignal.timeout(ms), "abort");
}
