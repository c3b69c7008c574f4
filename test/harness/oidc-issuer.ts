// A real OpenID Connect server on the loopback, which signs access tokens for this test's clients.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";
import Provider from "oidc-provider";

/** The secret of each client. */
export const SECRET = "a-secret-that-only-this-test-knows";
export const AUDIENCE = "troupe";

/** A key pair of the issuer, and its private half for the server. */
async function signingKey(kid: string) {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return {
    kid,
    privateKey,
    jwk: { ...(await exportJWK(privateKey)), kid, alg: "ES256", use: "sig" } satisfies JWK,
  };
}

/** Opens the issuer. `claims` are the further claims of each client's tokens, by the client's id. */
export async function oidcIssuer(claims: Record<string, JWTPayload>) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  let key = await signingKey("first");
  let asked = 0;
  serve();
  function serve() {
    const handle = providerOf(issuer, key.jwk, claims).callback();
    server.removeAllListeners("request");
    server.on("request", (request, response) => {
      if (request.url?.includes("/jwks")) asked++;
      void handle(request, response);
    });
  }
  return {
    issuer,
    /** Resolves with an access token from the server's token endpoint. */
    token: (client: string, resource = `urn:${AUDIENCE}`) => grantedToken(issuer, client, resource),
    /** Signs claims with the issuer's key, for tokens that the server itself would not make. */
    signed: (more: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}) => {
      const { privateKey, kid } = key;
      return new SignJWT({ iss: issuer, aud: AUDIENCE, sub: "ada", exp: inSeconds(60), ...more })
        .setProtectedHeader({ alg: "ES256", kid, ...header })
        .sign(privateKey);
    },
    publicKey: () => key.jwk,
    /** The number of times that the keys were asked for. */
    get asked() {
      return asked;
    },
    /** From now on, the server signs with another key and publishes no other. */
    async rotate(kid: string) {
      key = await signingKey(kid);
      serve();
    },
    /** Ends the server. Its address stays the same when it comes back. */
    down: () => ended(server),
    async up() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await ended(server);
    },
  };
}

/** Returns a time in whole seconds from now on. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

function providerOf(issuer: string, jwk: JWK, claims: Record<string, JWTPayload>): Provider {
  return new Provider(issuer, {
    jwks: { keys: [jwk as never] },
    clients: Object.keys(claims).map((id) => ({
      client_id: id,
      client_secret: SECRET,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: "ES256",
      token_endpoint_auth_method: "client_secret_basic",
    })),
    ttl: { ClientCredentials: 600 },
    extraTokenClaims: (_context, { clientId = "" }) => claims[clientId],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: "",
          // An MCP client asks for the daemon's address.
          audience: resource.startsWith("http") ? AUDIENCE : resource.replace(/^urn:/, ""),
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  });
}

async function grantedToken(issuer: string, client: string, resource: string): Promise<string> {
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${client}:${SECRET}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", resource }),
  });
  const { access_token: token, error_description: why } = (await answer.json()) as Record<string, string>;
  if (token === undefined) throw new Error(`the issuer gives no token: ${why}`);
  return token;
}

async function ended(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
