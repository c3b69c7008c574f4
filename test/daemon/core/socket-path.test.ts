import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeWayForSocket } from "../../../daemon/core/socket-path.ts";
import { EXIT } from "../../../daemon/core/startup-error.ts";
import { strangerAt } from "../../harness/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";

test("an unused path is free", async () => {
  using temp = tempDir();
  await makeWayForSocket(path.join(temp.dir, "d.sock"));
});

test("a socket in use is left alone", async () => {
  using temp = tempDir();
  const socket = path.join(temp.dir, "d.sock");
  using _other = await strangerAt(socket);
  await assert.rejects(makeWayForSocket(socket), {
    exitCode: EXIT.unavailable,
    message: /another program listens there/,
  });
  assert.ok(existsSync(socket));
});

const refused: [what: string, prepare: (dir: string) => string, why: RegExp][] = [
  [
    "a path that is too long",
    (dir) => path.join(dir, "y".repeat(120)),
    /has \d+ bytes, at most 107 are possible[\s\S]*--listen unix:PATH/,
  ],
  [
    "a path with a line break",
    (dir) => path.join(dir, "two\nlines.sock"),
    /holds a line break[^\n]*\n[^\n]*--listen unix:PATH/,
  ],
  ["a path in a folder that is not there", (dir) => path.join(dir, "none/d.sock"), /there is no such folder/],
  [
    "a file that is no socket",
    (dir) => {
      writeFileSync(path.join(dir, "d.sock"), "");
      return path.join(dir, "d.sock");
    },
    /a file of that name that is no socket/,
  ],
  [
    "a folder that others may write to",
    (dir) => {
      mkdirSync(path.join(dir, "open"));
      chmodSync(path.join(dir, "open"), 0o777);
      return path.join(dir, "open/d.sock");
    },
    /others may write there; run: chmod go-w/,
  ],
];

for (const [what, prepare, why] of refused) {
  test(`${what} is refused with a remedy`, async () => {
    using temp = tempDir();
    await assert.rejects(makeWayForSocket(prepare(temp.dir)), { exitCode: EXIT.configuration, message: why });
  });
}
