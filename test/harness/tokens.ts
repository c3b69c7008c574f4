// Tokens as a daemon's configuration has them.
import { createHash } from "node:crypto";

/** Returns the digest of a token, for `tokens[].sha256`. */
export function sha256(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
