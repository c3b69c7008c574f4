// Detects that another site uses a browser on this machine to reach the daemon (DNS rebinding, cross-site requests).
import { isLoopback, parseAddress } from "../../proto/machine/address.ts";

/** Returns true if a request may have this Host: loopback's names always may, others if they are configured. */
export function hostAllowed(host: string | undefined, configured: readonly string[]): boolean {
  const name = nameOf(host);
  return name !== undefined && (isLoopback(name) || configured.some((each) => each.toLowerCase() === name));
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
