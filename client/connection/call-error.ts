// A call that failed, as every client sees it: with the whole recovery plan, never a raw gRPC error.

import {
  type Candidate,
  detailOf,
  type ErrorDetail,
  type ErrorType,
  type FailedCall,
  fail,
  isTroupeError,
  type Step,
} from "../../proto/errors/catalogue.ts";
import { planText } from "../../proto/plans/plan.ts";
import type { Profile } from "../../proto/tools/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";

/** Told apart by `type`, never by class. Programs know it as TroupeError. */
export class CallError extends Error {
  /** All that is known of it. */
  readonly detail: ErrorDetail;
  readonly #profile: Profile | undefined;

  constructor(detail: ErrorDetail, cause?: unknown, profile?: Profile) {
    super(detail.message, cause === undefined ? undefined : { cause });
    this.name = "TroupeError";
    this.detail = detail;
    this.#profile = profile;
  }

  get type(): ErrorType {
    return this.detail.type;
  }

  /** What to do, in order. */
  get steps(): readonly Step[] {
    return this.detail.steps;
  }

  /** The element, frame, URL, role, tab or limit meant. */
  get details(): Readonly<JsonObject> {
    return this.detail.details;
  }

  /** What is likely the element that was meant. */
  get candidates(): readonly Candidate[] {
    return this.detail.candidates;
  }

  /** When to try again, where that helps; `sameCall`: the same call as it was. */
  get retry(): ErrorDetail["retry"] {
    return this.detail.retry;
  }

  /** What a model reads: what happened, why, and numbered steps. */
  get text(): string {
    return planText(this.detail, this.#profile);
  }
}

/** Whatever was caught during a call, as an error that tells what to do. `reportId`: found again in the logs. */
export function callError(caught: unknown, call: FailedCall, reportId: string): CallError {
  if (caught instanceof CallError) return caught;
  const error = isTroupeError(caught) ? caught : fail("INTERNAL", { reportId }, caught);
  return new CallError(detailOf(error, call, Date.now()), caught, call.profile);
}

/** Errors that are each the cause of another. */
const CAUSES_MAX = 5;

/** For the log of whoever runs the client: where an error came from that nobody foresaw. Undefined for all others. */
export function reportOf({ type, details, cause }: CallError): string | undefined {
  if (type !== "INTERNAL") return undefined;
  const stacks: string[] = [];
  for (let each = cause; each instanceof Error && stacks.length < CAUSES_MAX; each = each.cause)
    stacks.push(each.stack ?? each.message);
  return `report ${details.reportId}: ${stacks.join("\n  caused by ")}`;
}
