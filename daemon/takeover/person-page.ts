// The address of the person's page, and of the links to it.
import { fail } from "../../proto/errors/catalogue.ts";
import { timestamp } from "../supervisor/failure-history.ts";

/**
 * Returns the link to the page at this address. Its secret stands in the fragment, which browsers send to no server.
 * Throws PERMISSION_DENIED without an address.
 */
export function linkWith(page: string | undefined, make: () => { token: string; endsAtMs: number }) {
  if (page === undefined)
    throw fail("PERMISSION_DENIED", {
      what: "taking over a session",
      reason: "A person comes over HTTP, and the daemon has no address there: http: off.",
    });
  const { token, endsAtMs } = make();
  return { url: `${page}#${token}`, expiresAt: timestamp(endsAtMs) };
}
