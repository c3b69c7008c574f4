import assert from "node:assert/strict";
import { test } from "node:test";
import { resourceOf } from "../../../daemon/http/protected-resource.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";

const PATH = "/.well-known/oauth-protected-resource";
const oidc = { issuer: "http://127.0.0.1:1/realms/a", audience: "troupe", roles: "roles" };
const troupe = shared(await testDaemon({ oidc, roles: { visitor: {} } }));
const rest = restClient(troupe.daemon.http[0] ?? "", troupe.config.state.token);
const nobody = { headers: { authorization: undefined } };

for (const path of ["", "/mcp"]) {
  test(`the metadata of ${path || "the daemon"} names the issuer, and asks for no token`, async () => {
    const { status, json } = await rest.send(PATH + path, nobody);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      resource: `${troupe.daemon.http[0]}${path}`,
      authorization_servers: [oidc.issuer],
      bearer_methods_supported: ["header"],
      resource_name: "Troupe",
    });
  });
}

test("a refused request is told where the metadata is, whatever is wrong with its token", async () => {
  const metadata = `resource_metadata="${troupe.daemon.http[0]}${PATH}"`;
  const cases: [authorization: string | undefined, challenge: string][] = [
    [undefined, `Bearer realm="troupe", ${metadata}`],
    ["Bearer a-token", `Bearer realm="troupe", error="invalid_token", ${metadata}`],
    ["Basic a-token", `Bearer realm="troupe", error="invalid_request", ${metadata}`],
  ];
  for (const [authorization, challenge] of cases) {
    const { status, headers } = await rest.send("/v1/tools", { headers: { authorization } });
    assert.deepEqual([status, headers["www-authenticate"]], [401, challenge]);
  }
});

test("the daemon's own token opens HTTP only while there is no issuer", async () => {
  assert.equal((await rest.send("/v1/tools")).status, 401);
  assert.equal((await rest.send("/metrics")).status, 401);
  await using plain = await testDaemon({ roles: { visitor: {} } });
  const own = restClient(plain.daemon.http[0] ?? "", plain.config.state.token);
  assert.equal((await own.send("/v1/tools")).status, 200);
  const { status, headers } = await own.send(PATH);
  assert.deepEqual([status, headers["www-authenticate"]], [404, undefined]);
  plain.reload({ oidc, roles: { visitor: {} } });
  assert.equal((await own.send("/v1/tools")).status, 401);
  assert.equal((await own.send(PATH)).status, 200);
});

test("behind a proxy, the audience of that host says that the address is https", () => {
  const request = { headers: { host: "Troupe.example" }, raw: { socket: {} } } as never;
  assert.equal(resourceOf(request, ["troupe"]), "http://Troupe.example");
  assert.equal(resourceOf(request, ["https://other.example"]), "http://Troupe.example");
  assert.equal(resourceOf(request, ["troupe", "https://troupe.example/mcp"]), "https://troupe.example");
});
