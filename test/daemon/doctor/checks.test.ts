import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { clockFinding } from "../../../daemon/doctor/clock.ts";
import { portFinding } from "../../../daemon/doctor/ports.ts";
import { judgedDisk, permissionsFinding, socketFinding } from "../../../daemon/doctor/state-folder.ts";
import { strangerAt, testDaemon } from "../../harness/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";

test("a port is free, the own daemon's, another Troupe's or a stranger's", { timeout: 60_000 }, async () => {
  const host = "127.0.0.1";
  using stranger = await strangerAt({ port: 0, host });
  const { port } = stranger;
  assert.match(
    (await portFinding({ host, port, key: "http" }, false)).found,
    /taken by another program: \S+, pid \d+$/,
  );
  const preferred = await portFinding({ host, port, preferred: true, key: "http" }, false);
  assert.equal(preferred.ok, true);
  assert.match(preferred.found, /a free port instead/);
  assert.equal((await portFinding({ host, port, key: "http" }, true)).ok, true);
  for (const key of ["listen", "peers.listen"] as const)
    assert.equal(
      (await portFinding({ host, port, key }, false)).remedy,
      `End it, or name another port in ${key}: of the configuration.`,
    );
  await using troupe = await testDaemon({});
  const [address = ""] = troupe.daemon.http;
  const taken = await portFinding({ host, port: Number(new URL(address).port), key: "http" }, false);
  assert.match(taken.found, /another Troupe/);
  assert.match(taken.remedy ?? "", /http: 127\.0\.0\.1:0/);
  assert.equal((await portFinding({ host, port: 0, key: "listen" }, false)).ok, true);
});

test("a state folder that others may enter is reported with a remedy", () => {
  using temp = tempDir();
  assert.equal(permissionsFinding(temp.dir).ok, true);
  chmodSync(temp.dir, 0o755);
  const { ok, remedy } = permissionsFinding(temp.dir);
  assert.equal(ok, false);
  assert.match(remedy ?? "", /chmod 700/);
  assert.match(permissionsFinding(`${temp.dir}/inner/more`).found, /will be made/);
});

test("a state folder that is a file, or where the kernel makes no files, is named as that", () => {
  using temp = tempDir();
  const file = `${temp.dir}/file`;
  writeFileSync(file, "");
  assert.match(permissionsFinding(file).found, /is no folder/);
  assert.match(permissionsFinding("/proc/x").found, /cannot be written/);
});

test("a state folder with a path too long for sockets is reported", () => {
  assert.equal(socketFinding("/s").ok, true);
  assert.match(socketFinding(`/${"s".repeat(120)}`).found, /bytes too long/);
  assert.match(socketFinding("/two\nlines").found, /holds a line break .*"\/two\\nlines"$/);
});

test("a full disk is reported", () => {
  assert.equal(judgedDisk("/s", 1000).ok, true);
  assert.match(judgedDisk("/s", 10).remedy ?? "", /Make room/);
});

test("a clock behind the files' times is wrong", () => {
  const now = Date.UTC(2026, 10, 21);
  assert.equal(clockFinding(now, [now - 1000]).ok, true);
  assert.equal(clockFinding(now, [now + 3_600_000]).ok, false);
});
