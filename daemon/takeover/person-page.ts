// The address of the person's page, and of the links to it.
import { fail } from "../../proto/errors/catalogue.ts";
import { timestamp } from "../supervisor/failure-history.ts";

/**
 * Returns the link to the page at this address. Its secret stands in the fragment, which browsers send to no server.
 * Throws PERMISSION_DENIED, with the way to open the HTTP door, if there is no such address.
 */
export function linkWith(page: string | undefined, make: () => { token: string; endsAtMs: number }) {
  if (page === undefined)
    throw fail("PERMISSION_DENIED", {
      what: "taking over a session",
      reason: "A person comes over HTTP, and the daemon's HTTP door is off.",
      causes: ["The configuration says http: off, or names no address there"],
      steps: [
        "Tell the operator of Troupe: remove http: off from the configuration, or set http: 127.0.0.1:7421, and restart the daemon",
        "When the daemon is back, ask for the link again",
      ],
    });
  const { token, endsAtMs } = make();
  return { url: `${page}#${token}`, expiresAt: timestamp(endsAtMs) };
}
