import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddress } from "../../../client/connection/address.ts";
import { authorizationOf, credentialsOf, speaksTls } from "../../../client/connection/credentials.ts";
import type { StateFiles } from "../../../proto/machine/locations.ts";

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

test("text that is not an address is a usage error that says so", () => {
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
  assert.throws(() => parse(`unix:/${"x".repeat(107)}`), /108 bytes, at most 107/);
  assert.throws(() => parse("unix:/two\nlines"), /holds a line break .*"\/two\\nlines"; choose another/);
});

test("TLS is used for other machines, and for this one if certificates are named", () => {
  const access = credentialsOf({}, {}, "/");
  for (const host of ["10.0.0.1", "troupe.example", "127.0.0.1.evil.example", "0.0.0.0"])
    assert.ok(speaksTls(host, access), host);
  for (const host of ["127.0.0.1", "localhost", "::1"]) {
    assert.ok(!speaksTls(host, access), host);
    assert.ok(speaksTls(host, credentialsOf({}, { TROUPE_CA: "ca.crt" }, "/")), host);
  }
});

test("flags come before the environment, and a token that no header can hold is refused", () => {
  const env = { TROUPE_CA: "env.crt", TROUPE_TOKEN: "from-env" };
  assert.equal(credentialsOf({ ca: "flag.crt" }, env, "/").ca, "flag.crt");
  assert.equal(authorizationOf(credentialsOf({}, env, "/")), "Bearer from-env");
  assert.equal(authorizationOf(credentialsOf({}, {}, "/")), undefined);
  for (const token of ["two words", "line\r\nx-troupe-role: admin"])
    assert.throws(
      () => authorizationOf(credentialsOf({ token }, {}, "/")),
      (error: Error) => !error.message.includes(token),
    );
  assert.throws(
    () => authorizationOf(credentialsOf({}, { TROUPE_TOKEN_FILE: "none" }, "/")),
    /none, which cannot be read/,
  );
});
