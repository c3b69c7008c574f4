// A call that failed, as every client sees it: with the whole recovery plan, never a raw gRPC error.

import type { Step } from "../proto/errors.ts";
import {
  detailOf,
  type ErrorDetail,
  type ErrorType,
  type FailedCall,
  fail,
  isTroupeError,
} from "../proto/errors.ts";

/** Told apart by `type`, never by class. */
export class CallError extends Error {
  readonly detail: ErrorDetail;

  constructor(detail: ErrorDetail, cause?: unknown) {
    super(detail.message, cause === undefined ? undefined : { cause });
    this.name = "CallError";
    this.detail = detail;
  }

  get type(): ErrorType {
    return this.detail.type;
  }

  get steps(): readonly Step[] {
    return this.detail.steps;
  }
}

/** Whatever was caught during a call, as an error that tells what to do. `reportId`: found again in the logs. */
export function callError(caught: unknown, call: FailedCall, reportId: string): CallError {
  if (caught instanceof CallError) return caught;
  const error = isTroupeError(caught) ? caught : fail("INTERNAL", { reportId }, caught);
  return new CallError(detailOf(error, call, Date.now()), caught);
}
