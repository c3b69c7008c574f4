import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { Admission } from "../../../daemon/admission/admission.ts";
import { systemClock } from "../../../daemon/core/clock.ts";
import type { TroupeError } from "../../../proto/errors/catalogue.ts";
import { oidcIssuer } from "../../harness/oidc-issuer.ts";
import { sha256 } from "../../harness/tokens.ts";

const shown = { door: "tcp", authorization: "Bearer t", certificate: undefined } as const;
const log = pino({ level: "silent" });
const token = {
  name: "ci",
  sha256: sha256("t"),
  control: "none",
} as const;

/** An admission that watches over its only client. */
function watched() {
  const told: unknown[] = [];
  const asked = { tokens: [{ ...token, notAfter: "2026-01-01" }], ownToken: "own", asksOnTcp: true };
  const admission = new Admission(asked, { ...systemClock, now: () => Date.now() }, log);
  const stop = admission.watchOver(
    () => admission.identify(shown),
    (error) => told.push((error as { type?: string }).type),
  );
  return { admission, told, stop };
}

test("a client is lost when its token ends, and its loss is reported once", (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"], now: Date.UTC(2026, 0, 1, 23, 59, 40) });
  const { told } = watched();
  t.mock.timers.tick(10_000);
  assert.deepEqual(told, []);
  t.mock.timers.tick(60_000);
  assert.deepEqual(told, ["UNAUTHENTICATED"]);
});

test("a client is lost at once when its token is taken away, and not when it stays", (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"], now: Date.UTC(2025, 0, 1) });
  const { admission, told } = watched();
  admission.renew([token, { ...token, name: "more", sha256: "00" }]);
  assert.deepEqual(told, []);
  admission.renew([]);
  admission.renew([]);
  assert.deepEqual(told, ["UNAUTHENTICATED"]);
});

test("a client is lost when its JWT expires, a few seconds late at most, or when the issuer changes", (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"], now: Date.UTC(2026, 0, 1) });
  const oidc = { issuer: "http://127.0.0.1:1", audience: ["troupe"], roles: "roles" };
  const jwt = {
    issuer: oidc.issuer,
    audiences: ["troupe"],
    subject: "ada",
    endsAtMs: Date.UTC(2026, 0, 1, 0, 1),
    claims: { roles: ["customer"] },
  };
  const told: unknown[] = [];
  const clock = { ...systemClock, now: () => Date.now() };
  using admission = new Admission({ tokens: undefined, oidc, ownToken: "own", asksOnTcp: true }, clock, log);
  const looks = () => admission.identify({ ...shown, checked: { jwt } });
  assert.deepEqual(looks(), {
    name: "oidc:ada@127.0.0.1:1",
    roles: ["customer"],
    control: "none",
    door: "tcp",
    credential: { kind: "jwt", jwt },
  });
  const lost = (error: unknown) => told.push((error as TroupeError).data);
  admission.watchOver(looks, lost);
  t.mock.timers.tick(60_000);
  assert.deepEqual(told, []);
  t.mock.timers.tick(20_000);
  assert.match(JSON.stringify(told), /the token has expired/);
  t.mock.timers.setTime(Date.UTC(2026, 0, 1));
  admission.watchOver(looks, lost);
  admission.renew(undefined, { ...oidc, issuer: "http://127.0.0.1:2" });
  assert.match(JSON.stringify(told[1]), /the token is of another issuer/);
});

test("other grants take effect while the issuer is down", async () => {
  await using server = await oidcIssuer({});
  const oidc = { issuer: server.issuer, audience: ["troupe"], roles: "roles" };
  const asked = { tokens: undefined, oidc, ownToken: "own", asksOnTcp: true };
  using admission = new Admission(asked, systemClock, log);
  const authorization = `Bearer ${await server.signed({ groups: ["customer"] })}`;
  const rolesNow = async () => {
    const checked = await admission.check({ door: "tcp", authorization });
    return admission.identify({ ...shown, authorization, checked }).roles;
  };
  assert.deepEqual(await rolesNow(), []);
  await server.down();
  admission.renew(undefined, { ...oidc, roles: "groups" });
  assert.deepEqual(await rolesNow(), ["customer"]);
});

test("the loss of a client that is no longer watched is not reported", (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"], now: Date.UTC(2025, 0, 1) });
  const { admission, told, stop } = watched();
  stop();
  admission.renew([]);
  assert.deepEqual(told, []);
});
