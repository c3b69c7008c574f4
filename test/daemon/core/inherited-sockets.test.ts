import assert from "node:assert/strict";
import { test } from "node:test";
import { inheritedSockets, withInherited } from "../../../daemon/core/inherited-sockets.ts";

const PID = String(process.pid);

test("variables for another process, and no variables, hand over nothing, and no child gets them", () => {
  const env = { LISTEN_PID: "1", LISTEN_FDS: "2", LISTEN_FDNAMES: "a:b", PATH: "/bin" };
  assert.deepEqual(inheritedSockets(env), []);
  assert.deepEqual(env, { PATH: "/bin" });
  assert.deepEqual(inheritedSockets({}), []);
  assert.deepEqual(inheritedSockets({ LISTEN_PID: PID, LISTEN_FDS: "0" }), []);
});

for (const count of ["x", "-1", "1.5", "17", "99"]) {
  test(`${count} sockets are refused`, () => {
    assert.throws(() => inheritedSockets({ LISTEN_PID: PID, LISTEN_FDS: count }), {
      name: "StartupError",
      message: new RegExp(`LISTEN_FDS is ${count.replace(".", "\\.")}, and at most 16`),
    });
  });
}

test("a descriptor that is no unix socket with a path is refused", () => {
  assert.throws(
    () => inheritedSockets({ LISTEN_PID: PID, LISTEN_FDS: "16" }),
    /descriptor \d+ is no unix socket with a path/,
  );
});

test("a handed socket takes the place of the configured one at its path", () => {
  const tcp = { kind: "tcp", host: "127.0.0.1", port: 1 } as const;
  const [own, shared] = ["/own", "/shared"].map((path) => ({ kind: "unix", path }) as const);
  assert.ok(own && shared);
  const handed = { ...shared, fd: 3 };
  assert.deepEqual(withInherited([own, tcp, shared], [handed]), [own, tcp, handed]);
  assert.deepEqual(withInherited([own], []), [own]);
});
