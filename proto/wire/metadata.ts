// The names of the gRPC metadata that describe a call rather than a tool.

export const SESSION = "x-troupe-session";
/** The name that the call gave its session, beside its connection's own. The session's id then ends with `~NAME`. */
export const NAMED_SESSION = "x-troupe-session-name";
/** The program behind the connection, as it calls itself: `NAME/VERSION`. */
export const PROGRAM = "x-troupe-program";
/** From daemon to worker alone: the session's id with its client. Workers identify sessions by it. */
export const SESSION_KEY = "x-troupe-session-key";
export const ROLE = "x-troupe-role";
/** From daemon to worker alone: the call named its role itself. */
export const ROLE_GIVEN = "x-troupe-role-given";
/** From daemon to worker alone: the client may lack the session's reply before this call. */
export const MAY_LACK = "x-troupe-may-lack";
/** From worker to daemon alone: the element of a successful call, in the form of element-mark.ts. */
export const ELEMENT = "x-troupe-element";
/** The client wants evidence of the call, also in a role without `record`. */
export const RECORD = "x-troupe-record";
/** From daemon to worker alone: the id of the call's evidence. Without one, no evidence of it is kept. */
export const EVIDENCE = "x-troupe-evidence";
export const PROFILE = "x-troupe-profile";
/** The client's own budget for replies, in tokens, if it has one. 0 means no bound. */
export const MAX_TOKENS = "x-troupe-max-tokens";
/**
 * The client has used the session before. With 1, SESSION_LOST or SESSION_EXPIRED comes once. A client may send a UUID
 * of its own for the session that it knows. Then the error comes in each call with this UUID.
 */
export const RESUME = "x-troupe-resume";
export const RESUMES_ONCE = "1";
export const REQUEST_ID = "x-request-id";
/** The span that made the call (W3C Trace Context). */
export const TRACEPARENT = "traceparent";
export const VERSION_HEADER = "x-troupe-version";
/** From daemon to daemon alone: the client of a forwarded call with its rights, as base64url of JSON. */
export const PEER_CLIENT = "x-troupe-peer-client";
/** From daemon to daemon alone: the incarnation of the daemon that the call is meant for. */
export const MEANT_DAEMON = "x-troupe-meant-daemon";
/** From daemon to daemon alone: the incarnation of the daemon that answered in place of the meant one. */
export const OTHER_DAEMON = "x-troupe-other-daemon";
/** From daemon to daemon alone: this daemon does not have the session, and the forwarded call was not begun. */
export const NOT_OWNER = "x-troupe-not-owner";
export const STATUS_DETAILS = "grpc-status-details-bin";

/** Reads a budget from the header; undefined if it is not a budget. */
export function tokensIn(given: string | undefined): number | undefined {
  return given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}

export const SESSION_ID_LENGTH_MAX = 128;
/** A session's id: 1–128 visible ASCII characters. */
export const SESSION_ID = /^[\x21-\x7e]{1,128}$/;
