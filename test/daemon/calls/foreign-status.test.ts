import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { type ForeignCase, meaningOf } from "../../../daemon/calls/foreign-status.ts";
import { findTool, type Tool } from "../../../proto/tools/read-tools.ts";

const about: ForeignCase = {
  tool: findTool("browser_click") as Tool,
  endpoint: "",
  role: "customer",
  wellFormed: true,
  cancelled: false,
  tookMs: 30_000,
  workerEnd: undefined,
};
const end = { kind: "worker-crashed", reason: "its process was ended by SIGKILL" } as const;

const table: [
  what: string,
  code: status,
  details: string,
  more: Partial<ForeignCase>,
  type: string | undefined,
][] = [
  ["a deadline", status.DEADLINE_EXCEEDED, "", {}, "TIMEOUT"],
  [
    "a reply beyond the limit",
    status.RESOURCE_EXHAUSTED,
    "Received message larger than max (70000000 vs 67108864)",
    {},
    "RESULT_TOO_LARGE",
  ],
  ["a tool that the worker lacks", status.UNIMPLEMENTED, "", {}, "UNKNOWN_TOOL"],
  [
    "a connection that broke with its worker",
    status.UNAVAILABLE,
    "ECONNRESET",
    { workerEnd: end },
    "WORKER_RESTARTED",
  ],
  ["a broken connection whose worker lives", status.UNAVAILABLE, "ECONNRESET", {}, undefined],
  [
    "bytes that are no message",
    status.INTERNAL,
    "Error deserializing request",
    { wellFormed: false },
    "INVALID_ARGUMENT",
  ],
  ["a call that its client gave up", status.CANCELLED, "", { cancelled: true }, "CANCELLED"],
  ["a deadline of a client that is gone", status.DEADLINE_EXCEEDED, "", { cancelled: true }, "CANCELLED"],
  ["something nobody foresaw", status.DATA_LOSS, "", {}, undefined],
];

for (const [what, code, details, more, type] of table) {
  test(`${what} becomes ${type ?? "a report"}`, () => {
    assert.equal(meaningOf({ code, details }, { ...about, ...more })?.type, type);
  });
}

test("sizes are reported as the gRPC status has them", () => {
  const error = meaningOf(
    { code: status.RESOURCE_EXHAUSTED, details: "Received message larger than max (5242885 vs 4194304)" },
    about,
  );
  assert.deepEqual(error?.data, { size: 5_242_885, limit: 4_194_304 });
});
