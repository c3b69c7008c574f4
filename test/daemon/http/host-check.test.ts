import assert from "node:assert/strict";
import { test } from "node:test";
import { hostAllowed, originAllowed } from "../../../daemon/http/host-check.ts";

for (const host of ["127.0.0.1:7421", "localhost", "LOCALHOST:1", "[::1]:7421", "127.9.9.9:80"]) {
  test(`the Host ${host} is loopback's`, () => assert.ok(hostAllowed(host, [])));
}

for (const host of [
  undefined,
  "",
  "evil.example",
  "evil.example:7421",
  "127.0.0.1.evil.example:80",
  "localhost.evil.example",
  "192.0.2.1",
  "a b",
  "[::2]:80",
]) {
  test(`the Host ${host} is refused`, () => assert.ok(!hostAllowed(host, [])));
}

test("further names may be configured", () => {
  assert.ok(hostAllowed("Troupe.example:80", ["troupe.example"]));
  assert.ok(!hostAllowed("other.example", ["troupe.example"]));
});

test("the address that the request was sent to may be named, as Prometheus does in a cluster", () => {
  assert.ok(hostAllowed("10.1.2.3:7421", [], "10.1.2.3"));
  assert.ok(hostAllowed("10.1.2.3:7421", [], "::ffff:10.1.2.3"));
  assert.ok(hostAllowed("[fd12::7]:7421", [], "fd12::7"));
  assert.ok(!hostAllowed("10.1.2.4:7421", [], "10.1.2.3"));
  assert.ok(!hostAllowed("evil.example:7421", [], "10.1.2.3"));
});

test("only the server's own origin may make requests", () => {
  assert.ok(originAllowed(undefined, "127.0.0.1:7421"));
  assert.ok(originAllowed("http://127.0.0.1:7421", "127.0.0.1:7421"));
  assert.ok(!originAllowed("http://evil.example", "127.0.0.1:7421"));
  assert.ok(!originAllowed("http://127.0.0.1:8080", "127.0.0.1:7421"));
  assert.ok(!originAllowed("null", "127.0.0.1:7421"));
});
