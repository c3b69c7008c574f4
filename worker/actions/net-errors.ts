// Sorts Chromium's net errors by what can be done about them.
import type { NavigationCause } from "../../proto/errors/catalogue.ts";

/** The first pattern that matches decides. */
const CAUSES: [RegExp, NavigationCause][] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION|DNS_|ICANN_NAME_COLLISION/, "dns"],
  [/PROXY_|TUNNEL_CONNECTION|SOCKS_/, "proxy"],
  [/CONNECTION_REFUSED/, "refused"],
  [/ADDRESS_UNREACHABLE|ADDRESS_INVALID|NETWORK_ACCESS_DENIED/, "unreachable"],
  [/UNSAFE_PORT/, "blocked-port"],
  [/CERT_AUTHORITY_INVALID|CERT_KNOWN_INTERCEPTION|CERTIFICATE_TRANSPARENCY_REQUIRED/, "tls-authority"],
  [/CERT_DATE_INVALID|CERT_VALIDITY_TOO_LONG/, "tls-date"],
  [/CERT_COMMON_NAME_INVALID|CERT_NAME_CONSTRAINT|SSL_UNRECOGNIZED_NAME/, "tls-name"],
  [/SSL_PROTOCOL_ERROR/, "tls-protocol"],
  [/CERT_|SSL_|PINNED_KEY/, "tls"],
  [/TIMED_OUT/, "timeout"],
  [/BLOCKED_BY_|BLOCKED_IN_|BLOCKED_ENROLLMENT|ACCESS_DENIED/, "blocked"],
  [/ERR_ABORTED/, "aborted"],
  [/EMPTY_RESPONSE/, "empty"],
  [
    /CONNECTION_RESET|CONNECTION_CLOSED|CONNECTION_ABORTED|CONNECTION_FAILED|CONTENT_LENGTH_MISMATCH/,
    "reset",
  ],
  [
    /INVALID_HTTP_RESPONSE|INVALID_RESPONSE|RESPONSE_HEADERS|HTTP2_PROTOCOL|QUIC_PROTOCOL|INVALID_REDIRECT/,
    "invalid-response",
  ],
  [/INTERNET_DISCONNECTED/, "offline"],
  [/INVALID_AUTH_CREDENTIALS|MISSING_AUTH_CREDENTIALS|UNEXPECTED_AUTH|UNSUPPORTED_AUTH/, "http-login"],
  [/NETWORK_CHANGED|NETWORK_IO_SUSPENDED/, "network-changed"],
  [/TOO_MANY_REDIRECTS/, "redirects"],
  [/INVALID_URL|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|Cannot navigate to invalid URL/, "invalid-url"],
];

/**
 * Returns the cause behind `net::ERR_…`. `status`: the HTTP status of an answer without a page, 0 if there was none.
 */
export function causeOf(netError: string, status = 0): NavigationCause {
  if (status === 401) return "http-login";
  if (status >= 500) return "http-server";
  if (status >= 400) return "http-refused";
  return CAUSES.find(([pattern]) => pattern.test(netError))?.[1] ?? "other";
}
