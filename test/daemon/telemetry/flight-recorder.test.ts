import assert from "node:assert/strict";
import { test } from "node:test";
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
