import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { EndedCall } from "../../../daemon/telemetry/ended-call.ts";
import { FlightRecorder, type FlownCall } from "../../../daemon/telemetry/flight-recorder.ts";

const call = (requestId: string, plan?: () => string) =>
  ({
    requestId,
    outcome: plan ? "STALE_REF" : "OK",
    ...(plan && { failure: { message: "it is gone", plan } }),
  }) as EndedCall;

test("the newest failures are kept with their plans, and good calls are not", () => {
  const flight = new FlightRecorder();
  for (let index = 0; index < 300; index++) {
    flight.called(call(`ok${index}`));
    flight.called(call(`r${index}`, () => `plan ${index}`));
  }
  const { failures } = flight;
  assert.deepEqual(
    [failures.length, failures[0]?.requestId, failures.at(-1)?.plan],
    [200, "r100", "plan 299"],
  );
});

test("a plan that cannot be written, or is endless, does not stop the record", () => {
  const flight = new FlightRecorder();
  flight.called(call("broken", () => assert.fail("no data")));
  flight.called(call("endless", () => "x".repeat(1_000_000)));
  assert.deepEqual(
    flight.failures.map(({ plan }) => plan.length),
    ["it is gone".length, 8_000],
  );
});

test("watchers get each call until they leave", () => {
  const flight = new FlightRecorder();
  const heard: FlownCall[] = [];
  const leave = flight.watch({ called: (each) => void heard.push(each), episodeEnded: () => undefined });
  flight.called(call("one"));
  leave();
  flight.called(call("two"));
  assert.deepEqual(
    heard.map(({ requestId, plan }) => [requestId, plan]),
    [["one", ""]],
  );
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("of a failure with long texts, only the beginning of each is kept", () => {
  const flight = new FlightRecorder();
  for (let index = 0; index < 200; index++) {
    const long = `${index} ${"€".repeat(500_000)}`;
    flight.called({ ...call("r"), failure: failed(`message ${long}`, `plan ${long}`) });
  }
  collectGarbage();
  assert.equal(flight.failures.length, 200);
  const { heapUsed } = process.memoryUsage();
  assert.ok(heapUsed < 100_000_000, `${heapUsed} bytes`);
});

function failed(message: string, plan: string): NonNullable<EndedCall["failure"]> {
  return { category: "REF", recoverable: true, digest: "d", message, plan: () => plan };
}
