// Decides which connections a role's proxy makes: by the name before it is resolved, then by each of its addresses.
import { isIP } from "node:net";
import { forbidden } from "./forbidden.ts";
import { schemesListed } from "./origins.ts";

export interface WallRules {
  /** Origins that requests may go to; undefined means any. */
  origins: readonly string[] | undefined;
  /** All origins that the configuration lists, for any purpose. A listed place is not forbidden. */
  listed: readonly string[];
  daemonPorts: readonly number[];
}

/** The place that a page wants to connect to. */
export interface Wanted {
  host: string;
  port: number;
}

/** `tls`: true if the data must be TLS, false if it must not be, undefined if both are allowed. */
export type Admission = { admitted: true; tls: boolean | undefined } | { admitted: false; reason: string };

export const NOT_LISTED = "its origin is not among those that the role may open";

/** Decides if the role's lists hold the place, and its name is not forbidden. */
export function admit(wanted: Wanted, { origins, listed, daemonPorts }: WallRules): Admission {
  const address = isIP(wanted.host) ? wanted.host : "";
  const reason = forbidden({ ...wanted, address }, { listed, daemonPorts });
  if (reason) return { admitted: false, reason };
  if (!origins) return { admitted: true, tls: undefined };
  const schemes = schemesListed(wanted, origins);
  if (schemes.length === 0) return { admitted: false, reason: NOT_LISTED };
  // The port alone does not distinguish http from https.
  const [tls, plain] = [schemes.includes("https:"), schemes.includes("http:")];
  if (!tls && !plain) return { admitted: false, reason: NOT_LISTED };
  return { admitted: true, tls: tls && plain ? undefined : tls };
}

/** Returns the addresses that are allowed, or the reason why none is. */
export function passable(
  { host, port }: Wanted,
  addresses: readonly string[],
  { daemonPorts, listed }: WallRules,
): { addresses: string[] } | { reason: string } {
  const judged = addresses.map((address) => ({
    address,
    reason: forbidden({ host, port, address }, { daemonPorts, listed }),
  }));
  const open = judged.filter(({ reason }) => reason === undefined).map(({ address }) => address);
  const [first] = judged;
  return open.length > 0 || !first?.reason ? { addresses: open } : { reason: first.reason };
}
