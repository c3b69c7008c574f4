// One client's streams of events take no room of other clients' streams.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import type { ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../../proto/errors/status.ts";
import { testClient, testDaemon } from "../../harness/daemon.ts";
import { bearerOf, tokenOf } from "../../harness/tokens.ts";
import { until } from "../../harness/within.ts";

const tokens = [tokenOf("greedy"), tokenOf("calm")];
/** A connection has room for so many. */
const OF_CONNECTION = 1_000;

test("a client has a bounded number of streams of events, and other clients have theirs", async (t) => {
  await using troupe = await testDaemon({ listen: ["127.0.0.1:0"], tokens });
  const address = troupe.daemon.addresses[0] ?? "";
  const first = await streams(t, address, "greedy", OF_CONNECTION);
  assert.deepEqual([...first.refused, ...(await streams(t, address, "greedy", OF_CONNECTION)).refused], []);
  const { refused } = await streams(t, address, "greedy", 10);
  assert.equal(refused.length, 10);
  for (const { type, message, details, steps } of refused) {
    assert.deepEqual([type, details.own], ["BUSY", "streams"], message);
    assert.match(JSON.stringify(steps), /Close one of this client's open streams/);
  }
  assert.deepEqual((await streams(t, address, "calm", 1)).refused, [], "the bound is each client's own");
  first.close();
  const isFree = async () => (await streams(t, address, "greedy", 1)).refused.length === 0;
  await until(isFree, "those that have ended count no more");
});

/** Opens streams of a client over a connection of their own. Resolves when each has begun or is refused. */
async function streams(t: TestContext, address: string, name: string, count: number) {
  const client = testClient(address);
  t.after(() => client.close());
  const headers = bearerOf(name);
  const open = Array.from({ length: count }, () => client.stream("Control.WatchEvents", {}, { headers }));
  const begun = open.map(async (stream) => {
    const failed = once(stream, "error").then(([error]) => fromStatus(error as ServiceError));
    return await Promise.race([once(stream, "data").then(() => undefined), failed]);
  });
  const refused = (await Promise.all(begun)).filter((error) => error !== undefined);
  const close = () => {
    for (const stream of open) stream.cancel();
  };
  return { refused, close };
}
