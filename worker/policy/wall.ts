// What a role's proxy lets through: decided for a name before it is resolved, and for each address that it leads to.
import { isIP } from "node:net";
import { forbidden } from "./forbidden.ts";
import { schemesListed } from "./origins.ts";

export interface WallRules {
  /** Origins that anything may be asked of; undefined: any. */
  origins: readonly string[] | undefined;
  /** All that the configuration lists, whatever for: it lifts what is forbidden otherwise. */
  listed: readonly string[];
  daemonPorts: readonly number[];
}

/** Where a page wants a connection to. */
export interface Wanted {
  host: string;
  port: number;
}

/** `tls`: what is sent has to be TLS, or must not be; undefined where either will do. */
export type Admission = { admitted: true; tls: boolean | undefined } | { admitted: false; reason: string };

export const NOT_LISTED = "its origin is not among those that the role may open";

/** Whether the role's lists hold the place at all, and its name is not forbidden. */
export function admit(wanted: Wanted, { origins, listed, daemonPorts }: WallRules): Admission {
  const address = isIP(wanted.host) ? wanted.host : "";
  const reason = forbidden({ ...wanted, address }, { listed, daemonPorts });
  if (reason) return { admitted: false, reason };
  if (!origins) return { admitted: true, tls: undefined };
  const schemes = schemesListed(wanted, origins);
  if (schemes.length === 0) return { admitted: false, reason: NOT_LISTED };
  // The port alone does not tell http from https.
  const [tls, plain] = [schemes.includes("https:"), schemes.includes("http:")];
  if (!tls && !plain) return { admitted: false, reason: NOT_LISTED };
  return { admitted: true, tls: tls && plain ? undefined : tls };
}

/** The addresses that may be connected to, or why it is none of them. */
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
