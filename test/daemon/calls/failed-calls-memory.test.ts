// Tests that a failed call, of which the daemon keeps the plan, leaves nothing of its request in memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { testDaemon } from "../../harness/daemon.ts";
import { until } from "../../harness/within.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const CALLS = 40;
const BYTES = 1_000_000;

test("failed calls with large requests are not kept", async () => {
  await using daemon = await testDaemon({ roles: { shop: {} } });
  const refused = async () => {
    const { error } = await daemon.tool("Navigate", { url: "x".repeat(BYTES) }, { role: "none" });
    assert.ok(error);
  };
  await refused();
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  for (let call = 0; call < CALLS; call++) await refused();
  // V8 frees the buffers that it has collected in a thread of its own.
  const areFreed = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers - before < (CALLS / 4) * BYTES;
  };
  await until(areFreed, "the requests are freed");
});
