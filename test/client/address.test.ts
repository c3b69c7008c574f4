import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddress } from "../../client/address.ts";
import type { StateFiles } from "../../proto/locations.ts";

const files = { dir: "/s", socket: "/s/daemon.sock" } as StateFiles;
const parse = (text: string) => parseAddress(text, "/here", files);

test("an address is a socket's path, the state folder's socket, or a port on this machine", () => {
  assert.equal(parse("unix:/run/t.sock").target, "unix:/run/t.sock");
  assert.equal(parse("unix:t.sock").target, "unix:/here/t.sock");
  assert.equal(parse("unix:default").target, "unix:/s/daemon.sock");
  assert.deepEqual(parse("127.0.0.1:7420").socket, { host: "127.0.0.1", port: 7420 });
  assert.deepEqual(parse("[::1]:7420").socket, { host: "::1", port: 7420 });
  assert.equal(parse("localhost:7420").target, "localhost:7420");
});

test("errors name an address as it was written", () => {
  assert.equal(parse("unix:default").shown, "unix:default");
  assert.equal(parse("unix:t.sock").shown, "unix:t.sock");
});

test("what is no address, or would need TLS, is a usage error that says so", () => {
  for (const text of [
    "",
    "nonsense",
    "host:",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "http://127.0.0.1:1",
    "unix:",
  ]) {
    assert.throws(() => parse(text), { name: "CommandError", exitCode: 64 }, text);
  }
  for (const text of ["10.0.0.1:7420", "troupe.example:7420", "127.0.0.1.evil.example:1"]) {
    assert.throws(() => parse(text), /would need TLS/, text);
  }
  assert.throws(() => parse(`unix:/${"x".repeat(107)}`), /108 bytes, at most 107/);
});
