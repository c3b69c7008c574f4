import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { fetchKeySet, IssuerFault } from "../../../../daemon/admission/oidc/issuer-documents.ts";

type Answer = (response: ServerResponse, issuer: string) => void;
const json = (value: (issuer: string) => unknown) => (response: ServerResponse, issuer: string) =>
  void response.end(JSON.stringify(value(issuer)));
const metadata = json((issuer) => ({ issuer, jwks_uri: `${issuer}/keys` }));
const keys = json(() => ({ keys: [{ kty: "EC", kid: "one" }] }));

/** An issuer with these answers. Every other path is not found. */
async function issuerOf(answers: Record<string, Answer>, path = "") {
  const server = createServer(({ url = "" }, response) => {
    const answer = answers[url];
    if (answer) answer(response, issuer);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const OPENID = "/.well-known/openid-configuration";
const good: [what: string, answers: Record<string, Answer>, path?: string][] = [
  ["as OpenID Connect has it", { [OPENID]: metadata, "/keys": keys }],
  ["below a path", { [`/realms/a${OPENID}`]: metadata, "/realms/a/keys": keys }, "/realms/a"],
  ["below a path that ends with a slash", { [`/a${OPENID}`]: metadata, "/a//keys": keys }, "/a/"],
  ["as RFC 8414 has it", { "/.well-known/oauth-authorization-server/a": metadata, "/a/keys": keys }, "/a"],
];

for (const [what, answers, path] of good) {
  test(`keys are found by metadata ${what}`, async () => {
    await using server = await issuerOf(answers, path);
    assert.equal((await fetchKeySet(server.issuer)).keys.length, 1);
  });
}

const redirect: Answer = (response) => void response.writeHead(302, { location: "/elsewhere" }).end();
const long: Answer = (response) => void response.end(`"${"x".repeat(300_000)}"`);
const bad: [what: string, answers: Record<string, Answer>, why: RegExp][] = [
  ["that is not there", {}, /oauth-authorization-server answers with status 404$/],
  ["that redirects", { [OPENID]: redirect, "/elsewhere": metadata }, /redirects, which is not followed/],
  ["of another issuer", { [OPENID]: json(() => ({ issuer: "https://other.example" })) }, /"https:\/\/other/],
  ["of an issuer that is no text", { [OPENID]: json(() => ({ issuer: 7 })) }, /names no issuer/],
  ["that is too long", { [OPENID]: long }, /more than 256 KiB/],
  ["that is no JSON", { [OPENID]: (response) => void response.end("<html>") }, /answers with no JSON/],
  ["that is a list", { [OPENID]: json(() => []) }, /no JSON object/],
  ["without keys", { [OPENID]: json((issuer) => ({ issuer })) }, /has no jwks_uri/],
  [
    "with keys over plain HTTP",
    { [OPENID]: json((issuer) => ({ issuer, jwks_uri: "http://id.example/keys" })) },
    /jwks_uri that is not https/,
  ],
  [
    "with the keys' address on several lines",
    { [OPENID]: json((issuer) => ({ issuer, jwks_uri: `${issuer}/ke\nys` })) },
    /jwks_uri that is no address/,
  ],
  [
    "with a long address of its keys",
    { [OPENID]: json((issuer) => ({ issuer, jwks_uri: `${issuer}/${"x".repeat(3000)}` })) },
    /jwks_uri that is no address/,
  ],
  ["with keys that redirect", { [OPENID]: metadata, "/keys": redirect }, /keys redirects/],
  [
    "with keys that are none",
    { [OPENID]: metadata, "/keys": json(() => ({ keys: [7] })) },
    /no JSON Web Key/,
  ],
  [
    "with too many keys",
    { [OPENID]: metadata, "/keys": json(() => ({ keys: Array.from({ length: 101 }, () => ({})) })) },
    /at most 100 keys/,
  ],
];

for (const [what, answers, why] of bad) {
  test(`metadata ${what} is an issuer's fault`, async () => {
    await using server = await issuerOf(answers);
    await assert.rejects(fetchKeySet(server.issuer), (error) => {
      assert.ok(error instanceof IssuerFault);
      assert.match(error.message, why);
      return true;
    });
  });
}

test("an issuer that never ends its answer is not waited for", async () => {
  const closing = new AbortController();
  await using server = await issuerOf({
    [OPENID]: (response) => {
      response.write("{");
      closing.abort();
    },
  });
  await assert.rejects(fetchKeySet(server.issuer, closing.signal), IssuerFault);
});
