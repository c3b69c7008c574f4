import assert from "node:assert/strict";
import { test } from "node:test";
import type { JWSHeaderParameters } from "jose";
import { pino } from "pino";
import { IssuerKeys, NoKeys } from "../../../../daemon/admission/oidc/issuer-keys.ts";
import { fakeClock } from "../../../harness/fake-clock.ts";
import { oidcIssuer } from "../../../harness/oidc-issuer.ts";

const MINUTE = 60_000;
const first = { alg: "ES256", kid: "first" };

async function keysOf() {
  const server = await oidcIssuer({ ci: {} });
  const clock = fakeClock();
  const lines: string[] = [];
  const keys = new IssuerKeys(server.issuer, clock, pino({}, { write: (line: string) => lines.push(line) }));
  const outcome = (header: JWSHeaderParameters) =>
    keys.find(header).then(
      () => "found",
      (error: { code?: string }) => (error instanceof NoKeys ? "no keys" : error.code),
    );
  return {
    server,
    clock,
    keys,
    lines,
    outcome,
    async [Symbol.asyncDispose]() {
      keys[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("keys are asked for once, also by calls side by side", async () => {
  await using issuer = await keysOf();
  const outcomes = await Promise.all([first, first, first].map(issuer.outcome));
  assert.deepEqual(outcomes, ["found", "found", "found"]);
  assert.equal(issuer.server.asked, 1);
});

test("an unknown key makes the issuer be asked again, at most once in 30 s", async () => {
  await using issuer = await keysOf();
  await issuer.outcome(first);
  await issuer.server.rotate("second");
  const second = { alg: "ES256", kid: "second" };
  assert.equal(await issuer.outcome(second), "ERR_JWKS_NO_MATCHING_KEY");
  issuer.clock.pass(31_000);
  assert.deepEqual(await Promise.all([second, second].map(issuer.outcome)), ["found", "found"]);
  assert.equal(await issuer.outcome(first), "ERR_JWKS_NO_MATCHING_KEY", "the key was withdrawn");
  for (let each = 0; each < 20; each++) await issuer.outcome({ alg: "ES256", kid: `made up ${each}` });
  assert.equal(issuer.server.asked, 2);
});

test("known keys go on while the issuer is down, for a day", async () => {
  await using issuer = await keysOf();
  await issuer.outcome(first);
  await issuer.server.down();
  issuer.clock.pass(60 * MINUTE);
  assert.equal(await issuer.outcome(first), "found");
  await issuer.keys.renew();
  assert.match(issuer.keys.fault ?? "", /openid-configuration does not answer \(\w+\)/);
  assert.equal(await issuer.outcome({ ...first, kid: "second" }), "no keys", "the key may be a new one");
  issuer.clock.pass(24 * 60 * MINUTE);
  assert.equal(await issuer.outcome(first), "no keys");
  await issuer.server.up();
  issuer.clock.pass(6_000);
  assert.equal(await issuer.outcome(first), "found");
  assert.equal(issuer.keys.fault, undefined);
});

test("an issuer that is down from the start is asked at most once in 5 s, and reported once", async () => {
  await using issuer = await keysOf();
  await issuer.server.down();
  for (let each = 0; each < 5; each++) assert.equal(await issuer.outcome(first), "no keys");
  const error = await issuer.keys.find(first).catch((caught: unknown) => caught as NoKeys);
  assert.equal(error instanceof NoKeys && error.retryAfterMs, 5_000);
  issuer.clock.pass(6_000);
  await issuer.outcome(first);
  assert.equal(issuer.lines.length, 1);
  await issuer.server.up();
  issuer.clock.pass(6_000);
  assert.equal(await issuer.outcome(first), "found");
});
