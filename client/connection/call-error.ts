// A failed call, as every client sees it: with the whole recovery plan, never a raw gRPC error.

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
import { planText } from "../../proto/plans/plan-text.ts";
import type { Profile } from "../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";

/** Compare errors by `type`, never by class. Programs import this class as TroupeError. */
export class CallError extends Error {
  /** Everything that is known of the failure. */
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

  /** The steps of the plan, in order. */
  get steps(): readonly Step[] {
    return this.detail.steps;
  }

  /** The element, frame, URL, role, tab or limit that the error concerns. */
  get details(): Readonly<JsonObject> {
    return this.detail.details;
  }

  /** Elements that were likely meant. */
  get candidates(): readonly Candidate[] {
    return this.detail.candidates;
  }

  /** When to try again, if that helps. `sameCall`: repeat the same call unchanged. */
  get retry(): ErrorDetail["retry"] {
    return this.detail.retry;
  }

  /** The text for a model: what happened, why, and numbered steps. */
  get text(): string {
    return planText(this.detail, this.#profile);
  }
}

/** Turns anything caught during a call into an error with a plan. `reportId`: the id to find it in the logs. */
export function callError(caught: unknown, call: FailedCall, reportId: string): CallError {
  if (caught instanceof CallError) return caught;
  const error = isTroupeError(caught) ? caught : fail("INTERNAL", { reportId }, caught);
  return new CallError(detailOf(error, call, Date.now()), caught, call.profile);
}

/** Bounds the chain of errors that are each the cause of another. */
const CAUSES_MAX = 5;

/** The stacks of an unforeseen error, for the log of the person who runs the client. Undefined for all other errors. */
export function reportOf({ type, details, cause }: CallError): string | undefined {
  if (type !== "INTERNAL") return undefined;
  const stacks: string[] = [];
  for (let each = cause; each instanceof Error && stacks.length < CAUSES_MAX; each = each.cause)
    stacks.push(each.stack ?? each.message);
  return `report ${details.reportId}: ${stacks.join("\n  caused by ")}`;
}
