import assert from "node:assert/strict";
import { test } from "node:test";
import { issuerFindings } from "../../../daemon/doctor/issuer.ts";
import { oidcIssuer } from "../../harness/oidc-issuer.ts";

test("an issuer is well while it publishes keys, and else its finding says why and who must act", async () => {
  await using server = await oidcIssuer({ ada: {} });
  const oidc = { issuer: server.issuer, audience: ["troupe"], roles: "roles" };
  assert.deepEqual(await issuerFindings(undefined), []);
  const [well] = await issuerFindings(oidc);
  assert.equal(well?.ok, true);
  assert.match(well?.found ?? "", /publishes 1 keys/);
  await server.down();
  const [unwell] = await issuerFindings(oidc);
  assert.equal(unwell?.ok, false);
  assert.match(unwell?.found ?? "", /gives no keys: .* does not answer \(\w+\)/);
});
