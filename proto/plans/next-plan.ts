// Chooses the next plan by what was tried. Steps that were executed and changed nothing are not given again for the
// same fault.
import { createHash } from "node:crypto";
import {
  catalogue,
  type ErrorCategory,
  type ErrorData,
  type ErrorDetail,
  type ErrorEntry,
  type ErrorType,
  type FailedCall,
  type Step,
} from "../errors/catalogue.ts";
import { goingOn, type InSteps, stepCall } from "../errors/steps/in-steps.ts";
import { again, CANDIDATE, callStep, say, wordsInItsSession } from "../errors/steps/step-words.ts";
import type { Json, JsonObject } from "../wire/struct.ts";

/** A call of the session, as far as steps are recognised in it. It holds only digests, not what the call typed. */
export interface CallMade {
  tool: string;
  role: string;
  /** The digest of each argument, by its name. */
  digests: Readonly<Record<string, string>>;
  /** The digest of everything that the caller wrote itself. */
  words: string;
}

export function callMade(call: Pick<FailedCall, "tool" | "role" | "arguments">): CallMade {
  const { tool, role, arguments: args } = call;
  const digests = Object.entries(args).map(([name, value]) => [name, digestOf(value)]);
  return { tool, role, digests: Object.fromEntries(digests), words: digestOf(ownWords(args)) };
}

/** Equal for equal values. */
export function digestOf(value: Json): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

/** The history of a fault that appears again. */
export interface FaultSoFar {
  /** The session's calls since the fault first appeared, from the failed one to its newest repetition. */
  since: readonly CallMade[];
  /** The plans that were given for it, by {@link planMark}. */
  given: readonly string[];
  /** A plan may be given again: its time has not passed, or the fault may still pass by itself. */
  mayRepeat?: boolean;
}

/** Equal for the same fault: the same call fails for the same reason. */
export function faultKey({ type, tool, role, details }: ErrorDetail, args: JsonObject): string {
  return digestOf([type, tool, role, ownWords(args), lasting(details)]);
}

/** Equal for plans of equal steps. */
export function planMark(steps: readonly Step[]): string {
  return digestOf(steps.map((step) => [step.tool ?? step.text, step.arguments ?? {}, waitIn(step)]));
}

/** Returns how long the fault's plan stays the same. */
export function patienceMs(detail: ErrorDetail): number {
  return entryOf(detail)?.patienceMs ?? 0;
}

/** Returns the error with the first of its plans that was not executed yet. With the last plan, a person must act. */
export function nextPlan(detail: ErrorDetail, call: FailedCall, fault: FaultSoFar): ErrorDetail {
  if (!detail.recoverable || fault.given.length === 0) return detail;
  for (const plan of plansOf(detail, call)) {
    const steps = untried(plan.steps, detail, fault);
    if (steps)
      return { ...detail, steps: wordsInItsSession(steps, call), ...(plan.retry && { retry: plan.retry }) };
  }
  const { retry: _retry, ...others } = detail;
  const last = wordsInItsSession(lastPlan(detail, call, fault), call);
  return { ...others, recoverable: false, steps: last };
}

interface Plan {
  steps: readonly Step[];
  retry?: NonNullable<ErrorDetail["retry"]>;
}

function plansOf(detail: ErrorDetail, call: FailedCall): Plan[] {
  const otherwise = entryOf(detail)?.otherwise;
  const data = dataOf(detail);
  const others = otherwise?.(data, stepCall(data, call)) ?? [];
  const whole = others.map((steps) => ({ steps: goingOn(steps, data, call, detail.candidates) }));
  return [{ steps: detail.steps }, ...whole, ...patiently(detail, call)];
}

const PATIENCE = 5;
const PATIENT_MS_MIN = 5_000;
const PATIENT_MS_MAX = 60_000;

/** A fault that may pass by itself gets more time once. */
function patiently({ retry }: ErrorDetail, call: FailedCall): Plan[] {
  if (!retry?.sameCall || retry.afterMs >= PATIENT_MS_MAX) return [];
  const afterMs = Math.min(PATIENT_MS_MAX, Math.max(PATIENT_MS_MIN, retry.afterMs * PATIENCE));
  return [{ steps: [again(call, {}, `after ${afterMs} ms`)], retry: { afterMs, sameCall: true } }];
}

/** Returns the untried rest of a plan; undefined if nothing in it is new. */
function untried(steps: readonly Step[], detail: ErrorDetail, fault: FaultSoFar): Step[] | undefined {
  const isRepetition = (step: Step) => isCarriedOut(step, detail, fault.since.slice(-1));
  const remedies = steps.filter((step) => step.tool !== undefined && !isRepetition(step));
  if (remedies.length === 0) {
    const isGiven = fault.given.includes(planMark(steps)) && !fault.mayRepeat;
    return isGiven ? undefined : [...steps];
  }
  const isDone = (step: Step) => remedies.includes(step) && isCarriedOut(step, detail, fault.since);
  if (remedies.every(isDone)) return undefined;
  return steps.filter((step) => !isDone(step));
}

/** Returns true if a call did what a step says. Callers may have added arguments of their own. */
function isCarriedOut(
  { tool, arguments: args = {} }: Step,
  detail: ErrorDetail,
  calls: readonly CallMade[],
): boolean {
  // All calls are of one session, so its name is none of their arguments.
  const { role = detail.role, session: _session, ...others } = args;
  return calls.some(
    (made) =>
      made.tool === tool &&
      (made.role === role || made.digests.role === digestOf(role)) &&
      Object.entries(others).every(([name, value]) => isMeant(value, made.digests[name], detail)),
  );
}

/** `given`: the digest of the call's value. */
function isMeant(wanted: Json, given: string | undefined, { candidates, details }: ErrorDetail): boolean {
  if (wanted !== CANDIDATE) return given === digestOf(wanted);
  if (candidates.length > 0) return candidates.some(({ ref }) => given === digestOf(ref));
  return given !== undefined && given !== digestOf(details.ref ?? "");
}

/** No plan is left. This one says what was done and who can help. */
function lastPlan(detail: ErrorDetail, call: FailedCall, { since }: FaultSoFar): Step[] {
  const tools = [...new Set(since.map(({ tool }) => tool))].filter((tool) => tool !== detail.tool);
  const done = tools.length > 0 ? ` (${tools.slice(0, TOOLS_MAX).join(", ")})` : "";
  const needs = entryOf(detail)?.lastly?.(dataOf(detail), call) ?? NEEDS[detail.category];
  return [
    say(
      `Do not repeat ${detail.tool || "the call"}: what its plans offer was done${done}, and the fault is the same`,
    ),
    ...(detail.category === "EXECUTION" && call.tool !== "browser_take_screenshot"
      ? [
          callStep(
            call,
            "browser_take_screenshot",
            {},
            "to see what a person would see",
            "Look at the page as it is",
          ),
        ]
      : []),
    say(needs),
  ];
}

const TOOLS_MAX = 5;
const TELL = "Tell the person whom this work is for what stands in the way";
const OPERATOR = "Ask the operator of Troupe to look at troupe status and troupe failures";

/** The person or setting that is needed, if an entry does not say it itself. */
const NEEDS: Readonly<Record<ErrorCategory, string>> = {
  VALIDATION: `${TELL}, and ask what was meant: no call of this form can succeed here`,
  EXECUTION: `${TELL}: somebody who knows the page has to say how it is done, or do it; or go another way on the page`,
  TIMEOUT: `${TELL}: whoever runs the site knows whether this still comes; or go on without it`,
  POLICY: "Ask the operator of Troupe to allow it in the configuration",
  CONNECTION: OPERATOR,
  DEBUGGER: `${TELL}`,
  CRASH: OPERATOR,
  CAPACITY: "Ask the operator of Troupe to raise the limit that is met, or work in another role",
  UNKNOWN: OPERATOR,
};

/** Undefined for a type of another version. */
function entryOf({ type }: ErrorDetail): ErrorEntry<ErrorData[ErrorType]> | undefined {
  return catalogue[type] as ErrorEntry<ErrorData[ErrorType]> | undefined;
}

function dataOf({ details }: ErrorDetail): ErrorData[ErrorType] & InSteps {
  return details as unknown as ErrorData[ErrorType];
}

/** Arguments that a shim adds to a call by itself. */
const ADDED: ReadonlySet<string> = new Set(["full", "maxTokens", "role"]);

/** Equal if callers wrote their arguments alike. */
function ownWords(args: JsonObject): string {
  const kept = Object.entries(args).filter(([name, value]) => !ADDED.has(name) && value !== undefined);
  return JSON.stringify(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Details that change while the fault is the same: counts, times, refs of redrawn elements, and what the page shows
 * now.
 */
const PASSING: ReadonlySet<string> = new Set([
  "ref",
  "nowRole",
  "nowName",
  "nowRow",
  "row",
  "page",
  "holders",
  "reportId",
]);

function lasting(value: Json): Json {
  if (typeof value === "number") return 0;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(lasting);
  const kept = Object.entries(value).filter(([name, each]) => !PASSING.has(name) && each !== undefined);
  return Object.fromEntries(kept.map(([name, each]) => [name, lasting(each as Json)]));
}

/** A longer wait makes another step of the same call. */
function waitIn({ text }: Step): string {
  return /\bafter \d+ ms/.exec(text)?.[0] ?? "";
}
