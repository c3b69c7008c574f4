import assert from "node:assert/strict";
import { test } from "node:test";
import { base64url, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT } from "jose";
import { testDaemon } from "../../harness/daemon.ts";
import { AUDIENCE, inSeconds, oidcIssuer } from "../../harness/oidc-issuer.ts";
import { restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";
import { sha256 } from "../../harness/tokens.ts";

const OWN = "a-token-of-the-configuration";
const digest = sha256(OWN);
const issuer = shared(
  await oidcIssuer({
    ada: { troupe_roles: ["customer"] },
    bob: { troupe_roles: ["visitor", "customer"] },
    eve: {},
  }),
);
const oidc = { issuer: issuer.issuer, audience: AUDIENCE, roles: "troupe_roles" };
const base = { listen: ["127.0.0.1:0"], roles: { visitor: {}, customer: {} } };
const troupe = shared(await testDaemon({ ...base, oidc, tokens: [{ name: "ci", sha256: digest }] }));

const headersOf = (token: string | undefined) => ({ authorization: token && `Bearer ${token}` });

/** Calls a tool at each door. Resolves with both outcomes: OK, or the error's type and reason. */
async function atDoors(token: string | undefined, at = troupe, session = "s1") {
  const headers = headersOf(token);
  const grpc = await at.open("http://a.test/", { session, headers });
  const rest = await restClient(at.daemon.http[0] ?? "", at.config.state.token).call(
    "browser_navigate",
    { url: "http://a.test/" },
    { headers: { ...headers, "x-troupe-session": `${session}-rest` } },
  );
  return { grpc: grpc.error, rest };
}

async function accepted(token: string, at = troupe, session = "s1") {
  const { grpc, rest } = await atDoors(token, at, session);
  assert.deepEqual([grpc, rest.status], [undefined, 200], rest.body);
}

async function refused(token: string | undefined, reason: RegExp, at = troupe, audience = AUDIENCE) {
  const { grpc, rest } = await atDoors(token, at);
  for (const error of [grpc, rest.json.error]) {
    assert.equal(error?.type, "UNAUTHENTICATED");
    assert.match(error?.message ?? "", reason);
    assert.ok(JSON.stringify(error?.steps).includes(`Get a new token from ${at.config.oidc?.issuer}`));
    assert.ok(JSON.stringify(error?.steps).includes(`for the audience ${audience}`));
  }
  assert.equal(rest.status, 401);
  if (token) for (const said of [JSON.stringify(grpc), rest.body]) assert.ok(!said.includes(token));
}

test("a token of the issuer opens the roles of its claim, at each door", async () => {
  const token = await issuer.token("ada");
  await accepted(token);
  const { error } = await troupe.open("http://a.test/", { role: "visitor", headers: headersOf(token) });
  assert.equal(error?.type, "PERMISSION_DENIED");
  assert.match(error?.message ?? "", /This client may use customer/);
});

test("a token of the configuration goes on beside the issuer's", async () => {
  await accepted(OWN);
  await refused("another-token", /none that is configured, and no JWT/);
  await refused(undefined, /carries no token/);
});

test("each subject has its own sessions, and is named in the audit, never with its token", async () => {
  const [ada, bob] = [await issuer.token("ada"), await issuer.token("bob")];
  await accepted(ada, troupe, "twin");
  await accepted(bob, troupe, "twin");
  const listed = await troupe.ask("ListSessions", {}, { headers: headersOf(ada) });
  const clients = new Set(listed.ok?.sessions.map(({ client }) => client));
  const host = issuer.issuer.replace("http://", "");
  assert.deepEqual([...clients], [`oidc:ada@${host}`]);
  const audited = troupe.lines.filter((line) => line.includes(`"client":"oidc:bob@${host}"`));
  assert.ok(audited.length > 0);
  assert.ok(!troupe.lines.some((line) => line.includes(ada) || line.includes(bob)));
});

test("a token whose claim names no role may use none", async () => {
  const { grpc, rest } = await atDoors(await issuer.token("eve"));
  assert.deepEqual([grpc?.type, rest.status], ["PERMISSION_DENIED", 403]);
  assert.match(grpc?.message ?? "", /This client may use no role/);
});

const ID_TOKEN = /is an ID token, and an access token is asked for/;
const claims: [what: string, claims: JWTPayload, reason: RegExp][] = [
  ["for another audience", { aud: "another" }, /meant for another audience/],
  ["without an audience", { aud: undefined }, /meant for another audience, or for none/],
  ["that has expired", { exp: inSeconds(-60) }, /has expired/],
  ["that never expires", { exp: undefined }, /has no time at which it expires/],
  ["that is not valid yet", { nbf: inSeconds(60) }, /is not valid yet/],
  ["of another issuer", { iss: "https://id.example" }, /is of another issuer/],
  ["of the issuer with a slash", { iss: `${issuer.issuer}/` }, /is of another issuer/],
  ["without a subject", { sub: undefined }, /names no subject/],
  ["with an empty subject", { sub: "" }, /names no subject/],
  ["with a subject that is too long", { sub: "ä".repeat(100) }, /subject is too long/],
  ["whose claim is a number", { troupe_roles: 7 as never }, /claim troupe_roles is neither/],
  [
    "whose claim is an object",
    { troupe_roles: { customer: true } as never },
    /claim troupe_roles is neither/,
  ],
  ["that an issuer calls an ID token (Cognito)", { token_use: "id" }, ID_TOKEN],
  ["that an issuer calls an ID token (Keycloak)", { typ: "ID" }, ID_TOKEN],
  ["with the hash of an access token", { at_hash: "x" }, ID_TOKEN],
  ["with the nonce of a login", { nonce: "x" }, ID_TOKEN],
  ["that is too long", { padding: "x".repeat(10_000) }, /longer than 12000 characters/],
];

test("an access token passes with claims that ID tokens have, too", async () => {
  const claims = { troupe_roles: ["customer"], auth_time: 1, acr: "1", azp: "shop", sid: "s" };
  await accepted(await issuer.signed(claims));
  await accepted(await issuer.signed({ ...claims, token_use: "access" }));
  await accepted(await issuer.signed({ ...claims, typ: "Bearer", nonce: "x" }));
  await accepted(await issuer.signed({ ...claims, nonce: "x", at_hash: "x" }, { typ: "at+JWT" }));
});

for (const [what, given, reason] of claims) {
  test(`a token ${what} is refused, at each door`, async () => {
    await refused(await issuer.signed({ troupe_roles: ["customer"], ...given } as JWTPayload), reason);
  });
}

test("clocks may differ by some seconds, audiences may be several, and the type may be spelt in full", async () => {
  const soon = {
    exp: inSeconds(-3),
    nbf: inSeconds(3),
    aud: ["another", AUDIENCE],
    troupe_roles: "customer",
  };
  await accepted(await issuer.signed(soon as JWTPayload, { typ: "application/AT+JWT" }));
});

test("a subject cannot take the name of another client's sessions", async () => {
  const token = await issuer.signed({ sub: "ci/../local", troupe_roles: ["customer"] } as JWTPayload);
  await accepted(token);
  const listed = await troupe.ask("ListSessions", {}, { headers: headersOf(token) });
  assert.match(listed.ok?.sessions[0]?.client ?? "", /^oidc:ci%2F\.\.%2Flocal@/);
});

test("a JWT of another kind than an access token is refused", async () => {
  await refused(await issuer.signed({}, { typ: "logout+jwt" }), /of another kind than an access token/);
});

test("a token that is signed otherwise is refused, at each door", async () => {
  const body = {
    iss: issuer.issuer,
    aud: AUDIENCE,
    sub: "eve",
    exp: inSeconds(60),
    troupe_roles: ["customer"],
  };
  const encoded = (part: object) => base64url.encode(JSON.stringify(part));
  const { privateKey: foreign } = await generateKeyPair("ES256");
  const secret = new TextEncoder().encode(
    await exportSPKI((await importJWK({ ...issuer.publicKey(), d: undefined } as never, "ES256")) as never),
  );
  const by = (alg: string, key: Parameters<SignJWT["sign"]>[0], kid?: string) =>
    new SignJWT(body).setProtectedHeader({ alg, ...(kid && { kid }) }).sign(key);
  const good = await issuer.signed({ troupe_roles: ["customer"] } as JWTPayload);
  const cases: [token: string, reason: RegExp][] = [
    [await by("ES256", foreign, "first"), /is not signed by its issuer/],
    [await by("ES256", foreign, "made-up"), /key that its issuer does not publish/],
    [await by("HS256", secret, "first"), /signed in another way than RS256/],
    [`${encoded({ alg: "none" })}.${encoded(body)}.`, /signed in another way than RS256/],
    [`${good.slice(0, -8)}AAAAAAAA`, /is not signed by its issuer/],
    [
      `${encoded({ alg: "ES256", crit: ["x"], x: 1 })}.${encoded(body)}.AAAA`,
      /signed in another way|no well-formed/,
    ],
    ["a.b.c", /no well-formed JWT/],
  ];
  for (const [token, reason] of cases) await refused(token, reason);
});

test("a role is taken away at once, by the claim of the next token or by a reload", async () => {
  const grants = [{ value: "shoppers", roles: ["customer"], control: "read", sessions: 2 }];
  const changed = { ...base, oidc: { ...oidc, roles: "groups", grants } };
  await using at = await testDaemon(changed);
  const token = await issuer.signed({ groups: ["shoppers"] } as JWTPayload);
  const headers = headersOf(token);
  await accepted(token, at);
  const third = await at.open("http://a.test/", { session: "third", headers });
  assert.equal(third.error?.type, "BUSY", "its sessions are bounded");
  const page = at.stream("Browser.Watch", {}, { headers });
  const updates = page[Symbol.asyncIterator]();
  await updates.next();
  at.reload({ ...base, oidc: { ...changed.oidc, grants: [{ ...grants[0], value: "others" }] } });
  const ended = async () => {
    while (!(await updates.next()).done);
  };
  await assert.rejects(ended, /Not allowed: role 'customer'/);
  const { grpc, rest } = await atDoors(token, at);
  assert.deepEqual([grpc?.type, rest.status], ["PERMISSION_DENIED", 403]);
  at.reload({ ...base, oidc: { ...changed.oidc, audience: "another" } });
  await refused(token, /meant for another audience/, at, "another");
});

test("a token of a new key is accepted after the rotation, while the issuer's other tokens end", async () => {
  await using other = await oidcIssuer({ ada: { troupe_roles: ["customer"] } });
  await using at = await testDaemon({ ...base, oidc: { ...oidc, issuer: other.issuer } });
  const before = await other.token("ada");
  await accepted(before, at);
  await other.rotate("second");
  // The daemon has asked a moment ago. A daemon that starts now asks anew.
  await refused(await other.token("ada"), /key that its issuer does not publish/, at);
  await using later = await testDaemon({ ...base, oidc: { ...oidc, issuer: other.issuer } });
  await accepted(await other.token("ada"), later);
  await refused(before, /key that its issuer does not publish/, later);
});

test("a daemon starts while its issuer is down, and says who must act", async () => {
  await using other = await oidcIssuer({ ada: { troupe_roles: ["customer"] } });
  const token = await other.token("ada");
  await other.down();
  await using at = await testDaemon({
    ...base,
    oidc: { ...oidc, issuer: other.issuer },
    tokens: [{ name: "ci", sha256: digest }],
  });
  const { grpc, rest } = await atDoors(token, at);
  assert.equal(rest.status, 503);
  assert.ok(Number(rest.headers["retry-after"]) <= 5);
  for (const error of [grpc, rest.json.error]) {
    assert.equal(error?.type, "UNAUTHENTICATED");
    assert.equal(error?.recoverable, false);
    assert.equal(error?.retry?.sameCall, true);
    assert.match(error?.message ?? "", /the issuer http:.* gives no keys: .* does not answer \(\w+\)/);
    assert.match(JSON.stringify(error?.steps), /ask the operator to mend what the reason names/);
  }
  await accepted(OWN, at);
  const status = await at.ask("GetStatus", {}, { headers: headersOf(OWN) });
  assert.equal(status.error, undefined);
  assert.ok(at.lines.some((line) => line.includes("the issuer's keys cannot be had")));
});
