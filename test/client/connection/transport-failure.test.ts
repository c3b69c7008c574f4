import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { transportFailure } from "../../../client/connection/transport-failure.ts";

const sent = { address: "unix:default", deadlineMs: 55_000, requestId: "r1" };
const judge = (code: status, details = "") => transportFailure({ code, details }, sent);

test("a lost connection is DAEMON_UNREACHABLE, and is dropped", () => {
  for (const code of [status.UNAVAILABLE, status.CANCELLED, status.DEADLINE_EXCEEDED]) {
    const { error, lost } = judge(code);
    assert.equal(error.type, "DAEMON_UNREACHABLE");
    assert.equal(lost, true);
  }
  assert.equal(judge(status.INTERNAL, "Received RST_STREAM with code 2").lost, true);
});

test("another error without details is INTERNAL, with the request's id for the logs", () => {
  const { error, lost } = judge(status.INTERNAL, "Response message parsing error");
  assert.equal(error.type, "INTERNAL");
  assert.deepEqual(error.data, { reportId: "r1" });
  assert.equal(lost, false);
});

test("the error of a too large message has its size", () => {
  const { error } = judge(status.RESOURCE_EXHAUSTED, "Received message larger than max (5000000 vs 4194304)");
  assert.deepEqual([error.type, error.data], ["RESULT_TOO_LARGE", { size: 5_000_000, limit: 4_194_304 }]);
});

test("a call that its caller gave up is CANCELLED, whatever its result", () => {
  const signal = AbortSignal.abort();
  assert.equal(
    transportFailure({ code: status.UNAVAILABLE, details: "" }, { ...sent, signal }).error.type,
    "CANCELLED",
  );
});
