import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Client as NewerClient,
  ClientCredentialsProvider as NewerProvider,
  StreamableHTTPClientTransport as NewerTransport,
} from "@modelcontextprotocol/client";
import { ClientCredentialsProvider as OlderProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JWTPayload } from "jose";
import { testDaemon } from "../../../harness/daemon.ts";
import { AUDIENCE, inSeconds, oidcIssuer, SECRET } from "../../../harness/oidc-issuer.ts";
import type { RestReply } from "../../../harness/rest.ts";
import { shared } from "../../../harness/shared.ts";
import { INITIALIZE, mcpUrl, NEWER, newerHeaders, newerRequest, OLDER, olderRequest } from "./mcp-url.ts";

const issuer = shared(
  await oidcIssuer({ ada: { troupe_roles: ["customer"] }, bob: { troupe_roles: ["customer", "visitor"] } }),
);
const oidc = { issuer: issuer.issuer, audience: AUDIENCE, roles: "troupe_roles" };
const troupe = shared(await testDaemon({ oidc, roles: { visitor: {}, customer: {} } }));
const address = troupe.daemon.http[0] ?? "";
const url = new URL("/mcp", address);
const mcp = mcpUrl(address, troupe.config.state.token);
const credentials = (clientId: string) => ({
  clientId,
  clientSecret: SECRET,
  expectedIssuer: issuer.issuer,
});

/** The official clients, which look for the issuer and get a token by themselves. */
const clients = {
  async older() {
    const client = new OlderClient({ name: "test", version: "1" });
    const authProvider = new OlderProvider(credentials("ada"));
    await client.connect(new OlderTransport(url, { authProvider }) as never);
    return client;
  },
  async newer() {
    const client = new NewerClient(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: { pin: NEWER } } },
    );
    await client.connect(new NewerTransport(url, { authProvider: new NewerProvider(credentials("ada")) }));
    return client;
  },
};

for (const [era, connected] of Object.entries(clients)) {
  test(`an MCP client of the ${era} era finds the issuer, gets a token, and has the roles of its claim`, async () => {
    const client = await connected();
    try {
      const listed = await client.callTool({ name: "list_current_roles", arguments: {} });
      assert.match(JSON.stringify(listed.content), /"customer \(current\)[^"]*"/);
      assert.ok(!JSON.stringify(listed.content).includes("visitor"));
      const opened = await client.callTool({
        name: "browser_navigate",
        arguments: { url: "http://a.test/" },
      });
      assert.equal(opened.isError ?? false, false, JSON.stringify(opened.content));
    } finally {
      await client.close();
    }
  });
}

const bearer = (token: string | undefined) => ({ authorization: token && `Bearer ${token}` });

function assertRefused({ status, headers, json }: RestReply, reason: RegExp): void {
  assert.equal(status, 401);
  const metadata = `resource_metadata="${address}/.well-known/oauth-protected-resource/mcp"`;
  assert.ok(String(headers["www-authenticate"]).includes(metadata), String(headers["www-authenticate"]));
  assert.match(json.error?.message ?? "", reason);
}

const refused: [what: string, claims: JWTPayload, reason: RegExp][] = [
  ["for another audience", { aud: "another" }, /meant for another audience/],
  ["that has expired", { exp: inSeconds(-60) }, /has expired/],
  ["whose claim is an object", { troupe_roles: {} as never }, /claim troupe_roles is neither/],
];

for (const [what, claims, reason] of refused) {
  test(`/mcp refuses a token ${what}, in both eras`, async () => {
    const headers = bearer(await issuer.signed(claims));
    assertRefused(await mcp.send(INITIALIZE, { headers }), reason);
    const listing = { ...headers, ...newerHeaders("tools/list") };
    assertRefused(await mcp.send(newerRequest("tools/list"), { headers: listing }), reason);
  });
}

test("/mcp asks for a token, and says where to get one", async () => {
  assertRefused(await mcp.send(INITIALIZE, { headers: bearer(undefined) }), /carries no token/);
});

test("an MCP session belongs to the subject that began it", async () => {
  const [ada, bob] = [await issuer.token("ada"), await issuer.token("bob")];
  const begun = await mcp.send(INITIALIZE, { headers: bearer(ada) });
  assert.equal(begun.status, 200);
  const session = {
    "mcp-session-id": String(begun.headers["mcp-session-id"]),
    "mcp-protocol-version": OLDER,
  };
  const list = olderRequest("tools/list", {}, 2);
  assert.equal((await mcp.send(list, { headers: { ...bearer(ada), ...session } })).status, 200);
  assert.equal((await mcp.send(list, { headers: { ...bearer(bob), ...session } })).status, 404);
  assert.equal(
    (await mcp.send(list, { headers: { ...bearer(await issuer.token("ada")), ...session } })).status,
    200,
  );
});

test("a stream of /mcp ends at once when its token's audience is no longer the configured one", async () => {
  const roles = { visitor: {}, customer: {} };
  await using at = await testDaemon({ oidc, roles });
  const [door = ""] = at.daemon.http;
  const token = await issuer.token("ada");
  const begun = await mcpUrl(door, at.config.state.token).send(INITIALIZE, { headers: bearer(token) });
  const stream = await fetch(new URL("/mcp", door), {
    headers: {
      authorization: `Bearer ${token}`,
      accept: "text/event-stream",
      "mcp-session-id": String(begun.headers["mcp-session-id"]),
      "mcp-protocol-version": OLDER,
    },
  });
  assert.equal(stream.status, 200);
  at.reload({ oidc: { ...oidc, audience: "another" }, roles });
  // The reply is broken off, so its client sees that the stream is not over in order.
  await assert.rejects(stream.text());
});
