// Ports belong to the daemon that runs on the state folder if its note names them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { isOwn } from "../../../daemon/doctor/ports.ts";
import { StateDir } from "../../../daemon/state/state-dir.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { daemonsOf } from "../cluster/daemons.ts";

const PORTS = { listen: 7001, http: 7002, "peers.listen": 7003 } as const;
const KEYS = Object.keys(PORTS) as (keyof typeof PORTS)[];
const note = {
  pid: process.pid,
  version: "",
  addresses: ["unix:daemon.sock", "127.0.0.1:7001"],
  http: ["http://127.0.0.1:7002"],
  peers: ["0.0.0.0:7003"],
};

test("a running daemon has the ports that its note names, and no others", () => {
  using temp = tempDir();
  const files = stateFiles({ cwd: temp.dir, env: {}, stateDir: `${temp.dir}/s` });
  const own = () => KEYS.filter((key) => isOwn({ key, port: PORTS[key] }, files));
  using state = StateDir.open(files);
  assert.deepEqual(own(), [], "there is no note");
  state.writeNote(note);
  assert.deepEqual(own(), KEYS);
  for (const key of KEYS) assert.equal(isOwn({ key, port: 7004 }, files), false, key);
  state.writeNote({ ...note, peers: [] });
  assert.deepEqual(own(), ["listen", "http"]);
  const { peers: _peers, ...earlier } = note;
  state.writeNote(earlier);
  assert.deepEqual(own(), KEYS, "a daemon of an earlier version does not note this port");
});

test("a note that a killed daemon left names no port, even if another process has its id", () => {
  using temp = tempDir();
  const files = stateFiles({ cwd: temp.dir, env: {}, stateDir: `${temp.dir}/s` });
  StateDir.open(files)[Symbol.dispose]();
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  for (const pid of [ended, process.pid]) {
    writeFileSync(files.note, JSON.stringify({ ...note, pid }));
    for (const key of KEYS) assert.equal(isOwn({ key, port: PORTS[key] }, files), false, key);
  }
});

test("a daemon's note names its address for other daemons", { skip }, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const { config } = await open();
  const [pod] = await ask<{ address: string }>("SELECT address FROM pods");
  const port = Number(pod?.address.split(":")[1]);
  assert.equal(isOwn({ key: "peers.listen", port }, config.state), true);
  assert.equal(isOwn({ key: "peers.listen", port: port + 1 }, config.state), false);
});
