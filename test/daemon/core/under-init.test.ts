import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./first-process.ts", import.meta.url));
const NAMESPACE = ["--pid", "--fork", "--kill-child", "--mount-proc"];
const canUnshare = spawnSync("unshare", [...NAMESPACE, "true"]).status === 0;
const skip = canUnshare ? false : "a process namespace of its own needs unshare and its permission";

test("a container's first process runs under an init, which reaps orphans", {
  skip,
}, async (t) => {
  const outside = spawn("unshare", [...NAMESPACE, process.execPath, PROGRAM], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(outside, "exit");
  t.after(() => outside.kill("SIGKILL"));
  const [line] = (await once(outside.stdout, "data")) as [Buffer];
  assert.match(line.toString(), /^below, orphan \d+ collected$/m);
  // The init passes the signal on, and ends as the program does.
  const children = await readFile(`/proc/${outside.pid}/task/${outside.pid}/children`, "utf8");
  process.kill(Number(children.trim()), "SIGTERM");
  assert.deepEqual(await ended, [7, null]);
});
