import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { sweepLeftovers, TMP_PREFIX, TraceRecord } from "../../../daemon/state/leftovers.ts";
import { tempDir } from "../../harness/temp-dir.ts";

/** The traces of a worker: a process with its socket's name, and a folder with a profile's many files. */
function worker(dir: string, name: string) {
  const traces = { socket: path.join(dir, `${name}.sock`), tmpDir: path.join(dir, `${TMP_PREFIX}${name}`) };
  mkdirSync(traces.tmpDir);
  for (let file = 0; file < 100; file++) writeFileSync(path.join(traces.tmpDir, String(file)), "");
  writeFileSync(traces.socket, "");
  const endless = ["--eval", "setInterval(() => {}, 60_000)", traces.socket];
  const child = spawn(process.execPath, endless, { detached: true, stdio: "ignore" });
  return { traces, exit: once(child, "exit") };
}

/** Resolves with the number of the event loop's turns meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    next = setImmediate(turn);
  });
  await work;
  clearImmediate(next);
  return turns;
}

test("a worker's traces are removed with its processes, and other roles' calls go on meanwhile", async () => {
  using temp = tempDir();
  const record = new TraceRecord(temp.dir);
  const { traces, exit } = worker(temp.dir, "w1");
  record.add(traces);
  const turns = await turnsDuring(Promise.resolve(record.erase(traces)));
  assert.ok(turns > 0);
  assert.ok(!existsSync(traces.socket) && !existsSync(traces.tmpDir));
  assert.deepEqual(await exit, [null, "SIGKILL"]);
});

test("the traces that a killed daemon recorded are swept by the next one", async () => {
  using temp = tempDir();
  const { traces, exit } = worker(temp.dir, "w1");
  new TraceRecord(temp.dir).add(traces);
  assert.equal(await sweepLeftovers(temp.dir), 1);
  assert.ok(!existsSync(traces.socket) && !existsSync(traces.tmpDir));
  assert.deepEqual(await exit, [null, "SIGKILL"]);
  assert.equal(await sweepLeftovers(temp.dir), 0);
});
