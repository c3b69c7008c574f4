import assert from "node:assert/strict";
import { test } from "node:test";
import { causeOf } from "../../../worker/actions/net-errors.ts";

test("each of Chromium's net errors has its cause", () => {
  for (const [error, cause] of [
    ["net::ERR_NAME_NOT_RESOLVED", "dns"],
    ["net::ERR_CONNECTION_REFUSED", "refused"],
    ["net::ERR_ADDRESS_UNREACHABLE", "unreachable"],
    ["net::ERR_PROXY_CONNECTION_FAILED", "proxy"],
    ["net::ERR_TUNNEL_CONNECTION_FAILED", "proxy"],
    ["net::ERR_UNSAFE_PORT", "blocked-port"],
    ["net::ERR_CERT_AUTHORITY_INVALID", "tls-authority"],
    ["net::ERR_CERT_DATE_INVALID", "tls-date"],
    ["net::ERR_CERT_COMMON_NAME_INVALID", "tls-name"],
    ["net::ERR_SSL_PROTOCOL_ERROR", "tls-protocol"],
    ["net::ERR_CERT_REVOKED", "tls"],
    ["net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH", "tls"],
    ["net::ERR_BAD_SSL_CLIENT_AUTH_CERT", "tls"],
    ["net::ERR_CONNECTION_TIMED_OUT", "timeout"],
    ["net::ERR_TIMED_OUT", "timeout"],
    ["net::ERR_INVALID_AUTH_CREDENTIALS", "http-login"],
    ["net::ERR_ABORTED", "aborted"],
    ["net::ERR_BLOCKED_BY_ADMINISTRATOR", "blocked"],
    ["net::ERR_BLOCKED_BY_RESPONSE", "blocked"],
    ["net::ERR_EMPTY_RESPONSE", "empty"],
    ["net::ERR_CONNECTION_RESET", "reset"],
    ["net::ERR_CONNECTION_CLOSED", "reset"],
    ["net::ERR_CONNECTION_ABORTED", "reset"],
    ["net::ERR_INVALID_HTTP_RESPONSE", "invalid-response"],
    ["net::ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH", "invalid-response"],
    ["net::ERR_INTERNET_DISCONNECTED", "offline"],
    ["net::ERR_NETWORK_CHANGED", "network-changed"],
    ["net::ERR_TOO_MANY_REDIRECTS", "redirects"],
    ["net::ERR_INVALID_URL", "invalid-url"],
    ["net::ERR_SOMETHING_NEW", "other"],
  ] as const)
    assert.equal(causeOf(error), cause, error);
});
