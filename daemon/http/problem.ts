// An error of a request itself after RFC 9457, with the plan for a model and the error for programs.
import type { ErrorDetail, TroupeError } from "../../proto/errors/catalogue.ts";
import { planText } from "../../proto/plans/plan-text.ts";
import type { Profile } from "../../proto/tools/read-tools.ts";

export const PROBLEM_JSON = "application/problem+json";
/** The tag URIs (RFC 4151) lead nowhere, as RFC 9457 recommends if there is nothing to fetch. */
const TYPE_PREFIX = "tag:troupe.dev,2026:errors/";

/** Thrown when a request is refused before any tool is called. */
export class Problem extends Error {
  readonly status: number;
  readonly error: TroupeError;
  readonly headers: Readonly<Record<string, string>>;
  /** Records it like a call. Returns false if that is impossible. */
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

  /** Returns the answer's own headers and its body. */
  answer(error: ErrorDetail, profile: Profile): ProblemAnswer {
    return problemOf(this.status, error, profile);
  }
}

export interface ProblemAnswer {
  headers: Record<string, string>;
  body: Buffer;
}

export function problemOf(status: number, error: ErrorDetail, profile: Profile): ProblemAnswer {
  const { type, title, message } = error;
  const text = planText(error, profile);
  const json = { type: TYPE_PREFIX + type, title, status, detail: message, text, error };
  return {
    headers: { "content-type": PROBLEM_JSON, ...retryAfter(error) },
    // The body is bytes, because fastify adds a charset to text, and this media type has none.
    body: Buffer.from(JSON.stringify(json)),
  };
}

/** Returns the header that says when to try again, if the error says so. */
export function retryAfter({ retry }: ErrorDetail): Record<string, string> {
  return retry ? { "retry-after": String(Math.ceil(retry.afterMs / 1000)) } : {};
}
