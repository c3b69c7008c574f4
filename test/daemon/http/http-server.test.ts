import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { testDaemon } from "../../harness/daemon.ts";
import { restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";

const troupe = shared(await testDaemon({ http: ["127.0.0.1:0", "localhost:0"], hosts: ["troupe.example"] }));

/** Makes one request with exactly these headers. */
function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    type: string;
    body: string;
  }>();
  const sent = request(new URL(path, troupe.daemon.http[0]), { headers, method }, (reply) => {
    let body = "";
    reply.on("data", (text) => (body += text));
    reply.on("end", () =>
      resolve({ status: reply.statusCode ?? 0, type: reply.headers["content-type"] ?? "", body }),
    );
  });
  sent.on("error", reject);
  sent.end();
  return promise;
}

test("each configured address answers", async () => {
  assert.equal(troupe.daemon.http.length, 2);
  for (const address of troupe.daemon.http) assert.equal((await fetch(`${address}/livez`)).status, 200);
});

test("probes may use any host name, other requests only a known one", async () => {
  for (const path of ["/livez", "/readyz"])
    assert.equal((await get(path, { host: "10.0.0.7:7421" })).status, 200);
  assert.equal((await get("/metrics", { host: "troupe.example" })).status, 200);
  const { status, type, body } = await get("/metrics", { host: "evil.example" });
  assert.deepEqual([status, type], [403, "application/problem+json"]);
  const { type: kind, status: told, detail, text, error } = JSON.parse(body);
  assert.deepEqual([kind, told], ["tag:troupe.dev,2026:errors/PERMISSION_DENIED", 403]);
  assert.match(detail, /The Host header names none of this server's names/);
  assert.match(text, /^❌ Permission Denied\n/);
  assert.equal(error.details.what, "GET /metrics");
});

test("a page of another site is refused, whatever host it names", async () => {
  assert.equal((await get("/metrics", { origin: "http://evil.example" })).status, 403);
  assert.equal((await get("/metrics", { origin: troupe.daemon.http[0] ?? "" })).status, 200);
});

test("metrics come in the requested format", async () => {
  assert.match((await get("/metrics")).type, /^text\/plain; version=0\.0\.4/);
  const open = await get("/metrics", { accept: "application/openmetrics-text; version=1.0.0" });
  assert.match(open.type, /^application\/openmetrics-text; version=1\.0\.0/);
  assert.match(open.body, /# EOF\n$/);
});

for (const [method, path, expected] of [
  ["GET", "/nothing?token=s3cret", 404],
  ["POST", "/nothing?token=s3cret", 404],
  ["GET", "/%2e%2e/etc/passwd", 404],
  ["GET", "/v1/tools/%zz?token=s3cret", 400],
  ["POST", "/metrics?token=s3cret", 405],
] as const) {
  test(`${method} ${path} is answered with a problem and a plan, without its query`, async () => {
    const { status, type, body } = await get(path, {}, method);
    assert.deepEqual([status, type], [expected, "application/problem+json"]);
    assert.doesNotMatch(body, /s3cret/);
    assert.match(JSON.parse(body).text, /🔧 Action Required:\n1\. Send the request again/);
    assert.equal(JSON.parse(body).error.type, "INVALID_ARGUMENT");
  });
}

test("the error of a wrong method lists the path's methods", async () => {
  const rest = restClient(troupe.daemon.http[0] ?? "", troupe.config.state.token);
  for (const [method, path, allow] of [
    ["POST", "/metrics", "GET, HEAD"],
    ["DELETE", "/livez", "GET, HEAD"],
    ["PUT", "/openapi.json", "GET, HEAD"],
    ["PATCH", "/v1/tools", "GET, HEAD"],
    ["GET", "/v1/tools/browser_click", "POST"],
    ["OPTIONS", "/v1/tools/browser_click", "POST"],
  ] as const) {
    const { status, headers } = await rest.send(path, { method });
    assert.deepEqual([status, headers.allow], [405, allow]);
  }
  assert.equal((await rest.send("/v1/tools", { method: "HEAD" })).status, 200);
});
