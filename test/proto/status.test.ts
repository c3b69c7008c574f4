import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, credentials, Metadata, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { detailOf, type ErrorType, errorTypes, fail } from "../../proto/errors.ts";
import { planText } from "../../proto/plan.ts";
import { serviceDefinition } from "../../proto/service.ts";
import { fromStatus, toStatus } from "../../proto/status.ts";
import { cases, failedCall } from "./cases.ts";

/** Every text of a value grown beyond all bounds, as a page or a client could. */
function huge(value: unknown): unknown {
  if (typeof value === "string")
    return /^[a-z-]{3,14}$/.test(value) ? value : value + "漢\u202e".repeat(100_000);
  if (Array.isArray(value)) return Array.from({ length: 300 }, () => huge(value[0] ?? "x"));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, huge(each)]));
}

const hugeDetail = (type: ErrorType) => {
  const call = {
    ...failedCall,
    arguments: { ref: "e5", text: "x".repeat(1_000_000) },
    tab: "t".repeat(5_000),
  };
  return detailOf(fail(type, huge(cases[type]) as never), call, 0);
};

test("an error of any type arrives over a real connection, whatever a page or client put into it", async () => {
  const server = new Server();
  server.addService(serviceDefinition("Browser"), {
    NavigateBack: (call: { metadata: Metadata }, callback: (error: object) => void) =>
      callback(toStatus(hugeDetail(String(call.metadata.get("type")[0]) as ErrorType))),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const { NavigateBack } = serviceDefinition("Browser");
  const call = (type: ErrorType) => {
    const metadata = new Metadata();
    metadata.set("type", type);
    const { promise, resolve } = Promise.withResolvers<ServiceError | null>();
    if (!NavigateBack) assert.fail("no such rpc");
    const { path, requestSerialize, responseDeserialize } = NavigateBack;
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, metadata, (error) =>
      resolve(error),
    );
    return promise;
  };
  try {
    for (const type of errorTypes) {
      const error = await call(type);
      assert.equal(error && fromStatus(error)?.type, type);
    }
  } finally {
    client.close();
    server.forceShutdown();
  }
});

for (const type of errorTypes) {
  test(`${type}: its text stays short, and nothing in it hides or turns text`, () => {
    const text = planText(hugeDetail(type));
    assert.ok(text.length < 8_000, `${text.length} characters`);
    assert.ok(!text.includes("\u202e"));
  });
}

test("corrected arguments stand in a step, and not in the details, which are logged", () => {
  const detail = detailOf(
    fail("INVALID_ARGUMENT", {
      argument: "txt",
      problem: "no such argument",
      corrected: { text: "hunter2" },
    }),
    { ...failedCall, arguments: { ref: "e5", txt: "hunter2" } },
    0,
  );
  assert.deepEqual(detail.steps[0]?.arguments, { ref: "e5", text: "hunter2" });
  assert.doesNotMatch(JSON.stringify([detail.details, detail.message, planText(detail)]), /hunter2/);
});
