// The catalogue of errors. It has one entry for each type, which the compiler requires. It raises errors and makes
// their details.

import { cut } from "../text/quote.ts";
import type { JsonObject } from "../wire/struct.ts";
import { boundedData, boundedSteps, boundedText } from "./bounds.ts";
import { type AccessErrorData, access } from "./entries/access.ts";
import { type ApprovalErrorData, approvals } from "./entries/approvals.ts";
import { type CrashErrorData, crashes } from "./entries/crashes.ts";
import { type DebuggerErrorData, debugging } from "./entries/debugger.ts";
import { type ElementErrorData, elements } from "./entries/elements.ts";
import type { ErrorCategory, ErrorEntry } from "./entries/entry.ts";
import { type PageErrorData, pages } from "./entries/pages.ts";
import { type StoreErrorData, store } from "./entries/store.ts";
import { type ValidationData, validation } from "./entries/validation.ts";
import { type AfterRest, lookFirst, WAS_AT_REST } from "./steps/after-rest.ts";
import { withEffect } from "./steps/effect.ts";
import { goingOn, type InSteps, stepCall, withPlace } from "./steps/in-steps.ts";
import type { Candidate, FailedCall, Step } from "./steps/step.ts";
import { wordsInItsSession } from "./steps/step-words.ts";

export type { ErrorCategory, ErrorEntry } from "./entries/entry.ts";
export { GRPC_CODE } from "./entries/entry.ts";
export type { NavigationCause } from "./entries/navigation.ts";
export type { Candidate, ElementData, FailedCall, Step } from "./steps/step.ts";
export { CANDIDATE } from "./steps/step-words.ts";

/** The data of a case, for each type. */
export interface ErrorData
  extends ValidationData,
    ElementErrorData,
    PageErrorData,
    AccessErrorData,
    StoreErrorData,
    ApprovalErrorData,
    CrashErrorData,
    DebuggerErrorData {}
export type ErrorType = keyof ErrorData;

export const catalogue: { [T in ErrorType]: ErrorEntry<ErrorData[T]> } = {
  ...validation,
  ...elements,
  ...pages,
  ...access,
  ...store,
  ...approvals,
  ...crashes,
  ...debugging,
};

/** The longest session id. Names of tools, roles and tabs are shorter. */
const NAME_LENGTH_MAX = 128;

/** All types, in the catalogue's order. */
export const errorTypes: readonly ErrorType[] = Object.keys(catalogue) as ErrorType[];

/** All details of a failed call: `_meta["troupe.v1/error"]` and troupe.v1.ErrorDetail. */
export interface ErrorDetail {
  type: ErrorType;
  title: string;
  category: ErrorCategory;
  recoverable: boolean;
  expected: boolean;
  message: string;
  details: JsonObject;
  causes: string[];
  steps: Step[];
  candidates: Candidate[];
  retry?: { afterMs: number; sameCall: boolean };
  tool: string;
  role: string;
  session: string;
  tab: string;
  /** RFC 3339, UTC. */
  at: string;
}

/** An error of the catalogue on its way to a process's edge. Compare errors by `type`, never by class. */
export class TroupeError<T extends ErrorType = ErrorType> extends Error {
  readonly type: T;
  readonly data: ErrorData[T];

  constructor(type: T, data: ErrorData[T], cause?: unknown) {
    super(type, cause === undefined ? undefined : { cause });
    this.name = "TroupeError";
    this.type = type;
    this.data = data;
  }
}

/**
 * Makes an error of the catalogue: `throw fail("STALE_REF", { ref, role, name, tag })`. `cause` goes only to the log.
 */
export function fail<T extends ErrorType>(type: T, data: ErrorData[T], cause?: unknown): TroupeError<T> {
  return new TroupeError(type, data, cause);
}

/** Returns true if a caught value is an error of the catalogue. */
export function isTroupeError(error: unknown): error is TroupeError {
  return error instanceof TroupeError;
}

/** Returns the details of an error in a call. `at`: its time, milliseconds since the epoch. */
export function detailOf<T extends ErrorType>(
  error: TroupeError<T>,
  call: FailedCall,
  at: number,
): ErrorDetail {
  const entry: ErrorEntry<ErrorData[T]> = catalogue[error.type];
  const whole: ErrorData[T] & InSteps = withPlace(withEffect(error.data, call), call);
  const data = boundedData(whole);
  const own = stepCall(whole, call);
  const retry = retryOf(entry, data);
  // A call is useful only if it is whole. Descriptions are cut, but steps never are.
  const { restored } = whole as AfterRest;
  const candidates = [...(entry.candidates?.(data) ?? [])];
  const planned = goingOn(entry.steps(whole, own), whole, call, candidates);
  const plan = restored === undefined ? planned : lookFirst(planned, call);
  const { steps, areWhole } = boundedSteps(wordsInItsSession(plan, call));
  const recoverable = typeof entry.recoverable === "function" ? entry.recoverable(data) : entry.recoverable;
  return {
    type: error.type,
    title: entry.title,
    category: entry.category,
    recoverable: recoverable && areWhole,
    expected: expectationOf(entry, data) !== false,
    message: boundedText(entry.message(data, own)),
    details: told(data as unknown as JsonObject),
    causes: [...(restored === undefined ? [] : [WAS_AT_REST]), ...entry.causes(data, own)].map(boundedText),
    steps,
    candidates,
    ...(retry && { retry }),
    tool: cut(call.tool, NAME_LENGTH_MAX),
    role: cut(call.role, NAME_LENGTH_MAX),
    session: cut(call.session, NAME_LENGTH_MAX),
    tab: cut(call.tab, NAME_LENGTH_MAX),
    at: new Date(at).toISOString(),
  };
}

/** The same call is not to be repeated once some of its steps were carried out. */
function retryOf<Data>({ retry }: ErrorEntry<Data>, data: Data & InSteps): ErrorDetail["retry"] {
  const found = retry?.(data);
  const isWhole = (data.step?.done ?? 0) === 0;
  return found && { ...found, sameCall: found.sameCall && isWhole };
}

/** Returns if the error is often normal, or a sentence that says when. */
export function expectationOf<Data>({ expected }: ErrorEntry<Data>, data: Data): boolean | string {
  return typeof expected === "function" ? expected(data) : expected;
}

/**
 * Details never repeat the caller's data: corrected arguments stand only in a step. Candidates and causes have fields
 * of their own, and the number of similar elements matters only for the steps.
 */
function told({
  corrected: _corrected,
  candidates: _candidates,
  alike: _alike,
  likelyCause: _likelyCause,
  look: _look,
  ...details
}: JsonObject): JsonObject {
  return details;
}
