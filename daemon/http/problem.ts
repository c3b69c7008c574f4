// What is wrong with a request itself, as RFC 9457 has it, with the plan that an LLM reads and the error for programs.
import type { ErrorDetail, TroupeError } from "../../proto/errors/catalogue.ts";
import { planText } from "../../proto/plans/plan.ts";
import type { Profile } from "../../proto/tools/catalogue.ts";

export const PROBLEM_JSON = "application/problem+json";
/** Non-dereferenceable, as RFC 9457 recommends where there is nothing to fetch (tag URIs: RFC 4151). */
const TYPE_PREFIX = "tag:troupe.dev,2026:errors/";

/** Thrown where a request is refused before any tool is called. */
export class Problem extends Error {
  readonly status: number;
  readonly error: TroupeError;
  readonly headers: Readonly<Record<string, string>>;
  /** Accounts for it as for a call, and says whether it could. */
  readonly account: (error: ErrorDetail) => boolean;

  constructor(
    status: number,
    error: TroupeError,
    headers: Readonly<Record<string, string>> = {},
    account: Problem["account"] = () => false,
  ) {
    super(error.type, { cause: error });
    this.name = "Problem";
    this.status = status;
    this.error = error;
    this.headers = headers;
    this.account = account;
  }
}

/** The body, and the headers that belong to it. */
export function problemOf(
  status: number,
  error: ErrorDetail,
  profile: Profile,
): { headers: Record<string, string>; body: Buffer } {
  const { type, title, message, retry } = error;
  const text = planText(error, profile);
  const json = { type: TYPE_PREFIX + type, title, status, detail: message, text, error };
  return {
    headers: {
      "content-type": PROBLEM_JSON,
      ...(retry && { "retry-after": String(Math.ceil(retry.afterMs / 1000)) }),
    },
    // As bytes: to text, a charset would be added, which the media type does not have.
    body: Buffer.from(JSON.stringify(json)),
  };
}
