// Watching through the daemon. Updates pass as they come, and a daemon that ends does not wait for watchers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../proto/errors/status.ts";
import type { SnapshotUpdate } from "../../proto/gen/troupe.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import { serviceDefinition } from "../../proto/wire/service.ts";
import { refOf, startTroupe, type Troupe } from "../harness/troupe.ts";

let troupe: Troupe;
before(async () => {
  troupe = await startTroupe();
});
after(() => troupe[Symbol.asyncDispose]());

test("a program watches what an agent's tab shows, until the daemon is drained", async () => {
  await using agent = await troupe.agent("--session", "watched", "--role", "customer");
  const page = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/product/42` });

  const { Watch } = serviceDefinition("Browser");
  assert.ok(Watch);
  const metadata = new Metadata();
  metadata.set(SESSION, "watched");
  const client = new Client(troupe.address, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = Watch;
  const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {}, metadata);
  const updates = stream[Symbol.asyncIterator]() as AsyncIterator<SnapshotUpdate>;

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
