// Chromium's net errors, told apart by what can be done about them.
import type { NavigationCause } from "../../proto/errors.ts";

const CAUSES: [RegExp, NavigationCause][] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION|DNS_/, "dns"],
  [
    /CONNECTION_REFUSED|ADDRESS_UNREACHABLE|UNSAFE_PORT|ADDRESS_INVALID|PROXY_CONNECTION_FAILED|TUNNEL_CONNECTION_FAILED/,
    "refused",
  ],
  [/CERT_|SSL_|BAD_SSL/, "tls"],
  [/TIMED_OUT/, "timeout"],
  [/ABORTED|BLOCKED_BY_/, "aborted"],
  [/EMPTY_RESPONSE|CONNECTION_RESET|CONNECTION_CLOSED|INVALID_HTTP_RESPONSE|INVALID_RESPONSE/, "empty"],
  [/INTERNET_DISCONNECTED|NETWORK_CHANGED|NETWORK_ACCESS_DENIED/, "offline"],
  [/TOO_MANY_REDIRECTS/, "redirects"],
  [/INVALID_URL|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|Cannot navigate to invalid URL/, "invalid-url"],
];

/** The cause behind `net::ERR_…`. */
export function causeOf(netError: string): NavigationCause {
  return CAUSES.find(([pattern]) => pattern.test(netError))?.[1] ?? "other";
}
