// Watching through the daemon. Updates pass as they come, and a daemon that ends does not wait for watchers.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../proto/errors/status.ts";
import type { SnapshotUpdate } from "../../proto/gen/troupe.ts";
import { testClient } from "../harness/daemon.ts";
import { shared } from "../harness/shared.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";

const troupe = shared(await startTroupe());

test("a program watches what an agent's tab shows, until the daemon is drained", async () => {
  await using agent = await troupe.agent("--session", "watched", "--role", "customer");
  const page = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/product/42` });

  const client = testClient(troupe.address);
  const stream = client.stream<SnapshotUpdate>("Browser.Watch", {}, { session: "watched" });
  const updates = stream[Symbol.asyncIterator]();

  const first = await updates.next();
  assert.equal(first.value.kind, "SNAPSHOT_KIND_FULL");
  assert.match(first.value.text, /Add to cart/);
  await agent.text("browser_click", { ref: refOf(page, "button", "Add to cart") });
  const second = await updates.next();
  assert.ok(second.value.text.length > 0);

  const ended = assert.rejects(readOut(updates), (error) => {
    assert.equal(fromStatus(error as ServiceError)?.type, "DAEMON_DRAINING");
    return true;
  });
  troupe.daemon.kill("SIGTERM");
  await ended;
  client.close();
});

async function readOut(updates: AsyncIterator<unknown>): Promise<void> {
  while (!(await updates.next()).done);
}
