// Agents that do not think: one follows the steps of an error to the letter, the other does what comes naturally.
import { once } from "node:events";
import { CANDIDATE, type ErrorDetail, type Step } from "../../proto/errors/catalogue.ts";
import type { Json, JsonObject } from "../../proto/wire/struct.ts";
import { asMessageSays } from "./message-reader.ts";

/** A tool's reply, as far as these agents look at it. */
export interface Heard {
  text: string;
  isError: boolean;
  error: ErrorDetail | undefined;
}

/** Whoever calls tools, through whichever door. */
export interface Caller {
  call(tool: string, args?: JsonObject): Promise<Heard>;
}

/** A call that somebody with an intent makes where a plan asks. `newest`: the last reply; `all`: every text so far, the error's first. */
export type Choice = (newest: string, all: string) => readonly [tool: string, args: JsonObject];

export interface Attempt {
  calls: number;
  /** Every reply, the failed call's first. */
  heard: Heard[];
  /** Choices that an agent with an intent has not made yet. */
  left?: Choice[];
  /** The step that asks for more than to be followed, or why no step could be. */
  stopped?: string;
}

/** A plan that has not ended after so many calls leads nowhere. */
const CALLS_MAX = 8;

/**
 * Follows the steps in their order; where one fails, those of its error, before it goes on. Stops at a step without a
 * tool, unless that only says what to find for the next one.
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

/** Plans of one fault that were told twice, though the first had been carried out. */
export function plansGivenTwice({ heard }: Attempt): string[] {
  const plans = heard.flatMap(({ error }) =>
    error?.recoverable ? [JSON.stringify([error.type, error.tool, error.details, error.steps])] : [],
  );
  return plans.filter((plan, index) => plans.indexOf(plan) < index);
}

/** Without a plan: looks at the page, and makes the same call again, with what the message names in place of what it refuses. */
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

/** Resolves to whether all steps were done. */
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

/** Somebody with an intent goes on alone from a step that asks. */
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

/** The arguments with the element's ref where they stand for it; undefined where nothing has its role and name. */
function resolved(value: Json, error: ErrorDetail, heard: readonly Heard[]): Json | undefined {
  if (value === CANDIDATE) return error.candidates[0]?.ref ?? refInNewest(error, heard);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, resolved(each, error, heard)] as const);
  return entries.some(([, each]) => each === undefined)
    ? undefined
    : (Object.fromEntries(entries) as JsonObject);
}

/** On the first line of the newest snapshot that has the role and the name. */
function refInNewest({ details }: ErrorDetail, heard: readonly Heard[]): string | undefined {
  const newest = heard.findLast(({ isError, text }) => !isError && /^\s*- /m.test(text));
  const wanted = `- ${details.role} ${JSON.stringify(details.name)}`;
  const line = newest?.text.split("\n").find((each) => each.trimStart().startsWith(wanted));
  return line && /\[ref=(\w+)\]/.exec(line)?.[1];
}

async function passed(ms: number): Promise<void> {
  await once(AbortSignal.timeout(ms), "abort");
}
