// Whether a browser on this machine is being used to reach us from another site (DNS rebinding, cross-site requests).
import { isLoopback, parseAddress } from "../config-schema/listen-address.ts";

/** Whether a request may give this Host: loopback's names always may, others where configured. */
export function hostAllowed(host: string | undefined, configured: readonly string[]): boolean {
  const name = nameOf(host);
  return name !== undefined && (isLoopback(name) || configured.some((each) => each.toLowerCase() === name));
}

/** Whether a request may come from this Origin: none, or the server's own. */
export function originAllowed(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/** The host without its port; undefined where the header is no host. */
function nameOf(host: string | undefined): string | undefined {
  if (!host) return undefined;
  const address = parseAddress(/:\d+$/.test(host) ? host : `${host}:80`);
  return address?.kind === "tcp" ? address.host.toLowerCase() : undefined;
}
