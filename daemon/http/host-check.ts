// Detects that another site uses a browser on this machine to reach the daemon (DNS rebinding, cross-site requests).
import { isIP } from "node:net";
import { isLoopback, parseAddress } from "../../proto/machine/address.ts";

/**
 * Returns true if a request may have this Host: one of loopback's names, the address that the request was sent to, or
 * a configured name. A rebound page has its site's name, never an address.
 */
export function hostAllowed(
  host: string | undefined,
  configured: readonly string[],
  sentTo?: string,
): boolean {
  const name = nameOf(host);
  if (name === undefined) return false;
  const isAddress = isIP(name) !== 0 && name === sentTo?.replace(/^::ffff:/, "");
  return isAddress || isLoopback(name) || configured.some((each) => each.toLowerCase() === name);
}

/** Returns true if a request may come from this Origin: none, or the server's own. */
export function originAllowed(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/** Returns the host without its port; undefined if the header is no host. */
function nameOf(host: string | undefined): string | undefined {
  if (!host) return undefined;
  const address = parseAddress(/:\d+$/.test(host) ? host : `${host}:80`);
  return address?.kind === "tcp" ? address.host.toLowerCase() : undefined;
}
