// Says where clients get tokens for this daemon: OAuth 2.0 Protected Resource Metadata (RFC 9728).
import { TLSSocket } from "node:tls";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Admission } from "../admission/admission.ts";
import { bearerIn } from "../admission/identify.ts";
import { route } from "./route.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
/** MCP clients look for the metadata of the very address that they were given (RFC 9728, 3.1). */
const MCP = "/mcp";

/** Adds the metadata. `notThere` makes the answer while the configuration has no issuer. */
export function addProtectedResource(
  app: FastifyInstance,
  admission: Pick<Admission, "oidc">,
  notThere: (request: FastifyRequest) => Error,
): void {
  for (const path of ["", MCP])
    route(app, WELL_KNOWN + path, async () => undefined, {
      GET(request) {
        const { oidc } = admission;
        if (!oidc) throw notThere(request);
        return {
          resource: resourceOf(request, oidc.audience) + path,
          authorization_servers: [oidc.issuer],
          bearer_methods_supported: ["header"],
          resource_name: "Troupe",
        };
      },
    });
}

/** Returns the value of WWW-Authenticate for a refused request (RFC 6750, 3, and RFC 9728, 5.1). */
export function challengeFor(request: FastifyRequest, { oidc }: Pick<Admission, "oidc">): string {
  const { authorization } = request.headers;
  const fault = bearerIn(authorization) === undefined ? "invalid_request" : "invalid_token";
  const path = request.url.split("?")[0] === MCP ? MCP : "";
  return [
    'Bearer realm="troupe"',
    ...(authorization === undefined ? [] : [`error="${fault}"`]),
    ...(oidc ? [`resource_metadata="${resourceOf(request, oidc.audience)}${WELL_KNOWN}${path}"`] : []),
  ].join(", ");
}

/**
 * Returns the address that the client used. Behind a proxy that ends TLS, only an audience with the same host shows
 * that it is https.
 */
export function resourceOf(
  { headers, raw }: Pick<FastifyRequest, "headers" | "raw">,
  audiences: readonly string[],
): string {
  const { host = "" } = headers;
  const named = audiences.filter((each) => URL.canParse(each)).map((each) => new URL(each));
  const same = named.find((each) => each.protocol.startsWith("http") && each.host === host.toLowerCase());
  return same?.origin ?? `${raw.socket instanceof TLSSocket ? "https" : "http"}://${host}`;
}
