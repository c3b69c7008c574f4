import assert from "node:assert/strict";
import { test } from "node:test";
import { Health } from "../../../daemon/grpc/health.ts";

type Handler = (call: unknown) => void;

/** A watch as grpc-js passes it on: its received statuses, its end, and the number of its unread messages. */
function watchOf(health: Health, service: string, unread = 0) {
  const statuses: unknown[] = [];
  const call = {
    request: { service },
    writableLength: unread,
    ended: false,
    write: ({ status }: { status: unknown }) => statuses.push(status),
    end: () => (call.ended = true),
    once: () => undefined,
  };
  (health.service.watch as Handler)(call);
  return { statuses, call };
}

const role = (name: string, state = "READY") => ({ name, stand: { state } });

test("a watch of an unknown service waits for it, and hears when it goes", () => {
  const health = new Health();
  const { statuses, call } = watchOf(health, "role/a");
  health.report(role("a"));
  health.forget("a");
  health.report(role("a", "FAILED"));
  assert.deepEqual(statuses, ["SERVICE_UNKNOWN", "SERVING", "SERVICE_UNKNOWN", "NOT_SERVING"]);
  assert.equal(call.ended, false);
});

test("a drain reports to each watch and then ends it, later ones too", () => {
  const health = new Health();
  health.report(role("a"));
  const before = [watchOf(health, ""), watchOf(health, "role/a")];
  health.drain([role("a")]);
  for (const { statuses, call } of [...before, watchOf(health, "")])
    assert.deepEqual([statuses.at(-1), call.ended], ["NOT_SERVING", true]);
});

test("a watch that does not read is ended", () => {
  const health = new Health();
  const { call } = watchOf(health, "role/a", 100);
  health.report(role("a"));
  assert.equal(call.ended, true);
});
