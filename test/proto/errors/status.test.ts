import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, credentials, Metadata, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { detailOf, type ErrorType, errorTypes, fail } from "../../../proto/errors/catalogue.ts";
import { fromStatus, toStatus } from "../../../proto/errors/status.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import { serviceDefinition } from "../../../proto/wire/service.ts";
import { cases, failedCall } from "../cases.ts";

/** Makes every text of a value longer than all bounds, as a page or a client could. */
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

test("an error of any type survives a real connection, whatever a page or client put into it", async () => {
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

test("the trailers of the longest error stay within the limit of every HTTP/2 peer", () => {
  for (const type of errorTypes) {
    const call = { ...failedCall, arguments: { ref: "e5", text: "x".repeat(3_900) } };
    const { metadata, details } = toStatus(detailOf(fail(type, huge(cases[type]) as never), call, 0));
    const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
    const length = (Buffer.from(bytes ?? "").length * 4) / 3 + encodeURIComponent(details ?? "").length;
    assert.ok(length < 16_000, `${type}: ${length}`);
  }
});

for (const type of errorTypes) {
  test(`${type}: its text stays short, and nothing in it hides or turns text`, () => {
    const text = planText(hugeDetail(type));
    assert.ok(text.length < 8_000, `${text.length} characters`);
    assert.ok(!text.includes("\u202e"));
  });
}

test("corrected arguments stand in a step and not in the details, which are logged", () => {
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

const select = { ref: "e5", role: "combobox", name: "City", tag: "select" };
const cities = Array.from({ length: 30 }, (_, index) => `City ${index} ${"of a long name ".repeat(6)}`);

test("a step holds an option or an address whole, however much the text shows", () => {
  const nearest = cities[29] ?? "";
  const data = { ...select, missing: "Cty 29", options: cities, nearest };
  const call = { ...failedCall, tool: "browser_select_option", arguments: { ref: "e5", values: ["Cty 29"] } };
  const { steps } = detailOf(fail("OPTION_NOT_FOUND", data), call, 0);
  assert.deepEqual(steps[0]?.arguments, { ref: "e5", values: [nearest] });
  const url = `https://shop.example/?q=${"tea".repeat(200)}`;
  const failed = fail("NAVIGATION_FAILED", { url, reason: "net::ERR_SSL", cause: "tls-protocol" });
  const navigation = { ...failedCall, tool: "browser_navigate", arguments: { url } };
  assert.deepEqual(detailOf(failed, navigation, 0).steps[0]?.arguments, {
    url: url.replace("https", "http"),
  });
});

test("a cut list says how many more there are", () => {
  const many = Array.from({ length: 90 }, (_, index) => `${cities[0]}${index}`);
  const call = { ...failedCall, tool: "browser_select_option", arguments: { ref: "e5", values: ["Rome"] } };
  const cut = detailOf(fail("OPTION_NOT_FOUND", { ...select, missing: "Rome", options: many }), call, 0);
  const told = cut.details.options as string[];
  assert.equal(told.at(-1), `… and ${90 - told.length + 1} more`);
  assert.match(planText(cut), /Options: .*… and \d+ more/);
  const whole = detailOf(fail("OPTION_NOT_FOUND", { ...select, missing: "Rome", options: cities }), call, 0);
  assert.equal((whole.details.options as string[]).length, 30);
});

test("a step with too long arguments does not promise that following it is enough", () => {
  const stale = (text: string) =>
    detailOf(fail("STALE_REF", cases.STALE_REF), { ...failedCall, arguments: { ref: "e5", text } }, 0);
  const essay = "x".repeat(3_000);
  assert.deepEqual(stale(essay).steps.at(-1)?.arguments, { ref: "$candidate", text: essay });
  assert.equal(stale(essay).recoverable, true);
  const book = stale("x".repeat(1_000_000));
  assert.equal(book.recoverable, false);
  assert.equal(book.steps.at(-1)?.tool, undefined);
  assert.match(book.steps.at(-1)?.text ?? "", /browser_type\(ref: "e31", text: <as before>\).*too long/);
});
