// The report of a call that a client refused itself. It has closed sets and a digest, so no value leaves the client.
import type { ErrorType } from "../errors/catalogue.ts";

/** The errors with which clients refuse calls. */
export const REFUSED_WITH = ["INVALID_ARGUMENT", "UNKNOWN_TOOL"] as const satisfies readonly ErrorType[];
/** The length of an HMAC-SHA-256. */
export const CALL_DIGEST_BYTES = 32;
