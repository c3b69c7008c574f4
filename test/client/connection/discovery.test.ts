import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { discoverDaemon } from "../../../client/connection/discovery.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const inDir = (use: (dir: string) => void) => () => {
  using temp = tempDir();
  const { dir } = temp;
  use(dir);
};
const targets = (flags: object, env: Record<string, string>, cwd: string) =>
  discoverDaemon(flags, { cwd, env })
    .addresses()
    .map(({ target, shown }) => [target, shown]);

test(
  "a named address is the only one, and a flag comes before the environment",
  inDir((dir) => {
    const env = { TROUPE_STATE_DIR: dir, TROUPE_ADDRESS: "127.0.0.1:2" };
    assert.deepEqual(targets({ address: "127.0.0.1:1" }, env, dir), [["127.0.0.1:1", "127.0.0.1:1"]]);
    assert.deepEqual(targets({}, env, dir), [["127.0.0.1:2", "127.0.0.1:2"]]);
    assert.equal(discoverDaemon({}, { cwd: dir, env }).named, true);
  }),
);

test(
  "without a named address, the daemon's note and the state folder's socket are tried",
  inDir((dir) => {
    const env = { TROUPE_STATE_DIR: dir };
    const socket = [`unix:${dir}/daemon.sock`, "unix:default"];
    assert.deepEqual(targets({}, env, dir), [socket]);
    const note = { pid: 1, addresses: ["10.0.0.1:7420", "127.0.0.1:7420", `unix:${dir}/daemon.sock`] };
    writeFileSync(path.join(dir, "daemon.json"), JSON.stringify(note));
    assert.deepEqual(targets({}, env, dir), [["127.0.0.1:7420", "127.0.0.1:7420"], socket]);
  }),
);

test(
  "a half-written or empty note is ignored",
  inDir((dir) => {
    for (const text of ["", "{", "{}", `{"addresses":[]}`, "null"]) {
      writeFileSync(path.join(dir, "daemon.json"), text);
      assert.equal(targets({}, { TROUPE_STATE_DIR: dir }, dir).length, 1);
    }
  }),
);
