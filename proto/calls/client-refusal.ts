// What a client tells of a call that it has refused by itself: closed sets and a digest, so that no value leaves it.
import type { ErrorType } from "../errors/catalogue.ts";

/** The errors by which clients refuse calls. */
export const REFUSED_WITH = ["INVALID_ARGUMENT", "UNKNOWN_TOOL"] as const satisfies readonly ErrorType[];
/** Of an HMAC-SHA-256. */
export const CALL_DIGEST_BYTES = 32;
