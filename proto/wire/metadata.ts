// The names of the gRPC metadata that carry what concerns a call, not a tool.

export const SESSION = "x-troupe-session";
/** From daemon to worker alone: the session's id with whose it is, by which workers tell sessions apart. */
export const SESSION_KEY = "x-troupe-session-key";
export const ROLE = "x-troupe-role";
/** From daemon to worker alone: the call named its role itself. */
export const ROLE_GIVEN = "x-troupe-role-given";
/** From daemon to worker alone: the client may not have had the session's reply before this call. */
export const MAY_LACK = "x-troupe-may-lack";
/** From worker to daemon alone: which element a call that succeeded was about, as element-mark.ts writes it. */
export const ELEMENT = "x-troupe-element";
export const PROFILE = "x-troupe-profile";
/** The budget of the client's replies, in tokens, where it has one of its own; 0: none has a bound. */
export const MAX_TOKENS = "x-troupe-max-tokens";
/**
 * The client has used the session before: 1 to be told once that it is no more, or a UUID of the client's own for the session
 * that it knows, to be told so in each call that has it.
 */
export const RESUME = "x-troupe-resume";
export const RESUMES_ONCE = "1";
export const REQUEST_ID = "x-request-id";
export const VERSION_HEADER = "x-troupe-version";
export const STATUS_DETAILS = "grpc-status-details-bin";

/** A budget as the header has it; undefined where it is none. */
export function tokensIn(given: string | undefined): number | undefined {
  return given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}

/** A session's id: 1–128 visible ASCII characters. */
export const SESSION_ID = /^[\x21-\x7e]{1,128}$/;
