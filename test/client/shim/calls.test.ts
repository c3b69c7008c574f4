import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { fail } from "../../../proto/errors/catalogue.ts";
import { errorOf, textOf } from "../../harness/mcp/mcp-process.ts";
import { McpSession } from "../../harness/mcp/mcp-session.ts";
import { aborted, StandIn, snapshotParts } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };

test("a query's result is structured beside its text, including empty values", DEADLINE, async () => {
  const result = {
    error: "Element e9 not found",
    errorType: "not_found",
    suggestion: "Take a new snapshot",
    target: null,
    ancestors: [],
  };
  await using daemon = await StandIn.start({ ResolveContainer: () => ({ text: "not found", result }) });
  await using shim = await McpSession.start(daemon.address);
  const reply = await shim.call("get_ancestors", { ref: "e9" });
  assert.equal(reply.isError, undefined);
  assert.equal(textOf(reply), "not found");
  assert.deepEqual(reply.structuredContent, result);
});

test("a picture is an image beside its text", DEADLINE, async () => {
  const image = Buffer.from("89504e470d0a1a0a", "hex");
  await using daemon = await StandIn.start({
    TakeScreenshot: () => ({ text: "The page", image, mimeType: "image/png" }),
  });
  await using shim = await McpSession.start(daemon.address);
  const { content } = await shim.call("browser_take_screenshot", { type: "png" });
  assert.deepEqual(content, [
    { type: "text", text: "The page" },
    { type: "image", data: image.toString("base64"), mimeType: "image/png" },
  ]);
});

test(
  "wrong names and arguments are answered with a plan, without a call to the daemon",
  DEADLINE,
  async () => {
    await using daemon = await StandIn.start();
    await using shim = await McpSession.start(daemon.address, { profile: "small" });
    const cases: [string, Record<string, unknown> | undefined, string, RegExp][] = [
      ["browser_clik", { ref: "e5" }, "UNKNOWN_TOOL", /1\. Call browser_click\(ref: "e5"\) instead/],
      ["browser_tabs", { action: "list" }, "UNKNOWN_TOOL", /part of the core profile/],
      ["browser_click", undefined, "INVALID_ARGUMENT", /ref is missing/i],
      ["browser_click", { rref: "e5" }, "INVALID_ARGUMENT", /1\. Call browser_click\(ref: "e5"\)/],
      ["browser_wait_for", { text: "x", time: "soon" }, "INVALID_ARGUMENT", /time/],
    ];
    for (const [tool, args, type, text] of cases) {
      const result = await shim.call(tool, args);
      assert.equal(result.isError, true);
      assert.equal(errorOf(result).type, type);
      assert.match(textOf(result), /^❌ /);
      assert.match(textOf(result), text);
    }
    assert.deepEqual(daemon.callsOf("Click"), []);
  },
);

test("every call is sent with the client's budget, and snapshots keep to it", DEADLINE, async () => {
  await using daemon = await StandIn.start({ Snapshot: () => snapshotParts("- main") });
  await using shim = await McpSession.start(daemon.address, { maxTokens: 1500 });
  await shim.call("browser_snapshot");
  await shim.call("browser_snapshot", { maxTokens: 900 });
  assert.deepEqual(
    daemon.callsOf("Snapshot").map(({ request }) => request.maxTokens),
    [1500, 900],
  );
  await shim.call("browser_navigate", { url: "https://a.example/" });
  assert.equal(daemon.callsOf("Navigate")[0]?.headers["x-troupe-max-tokens"], "1500");
});

test(
  "the first snapshot of a tab is whole, because this reader may not know the earlier ones",
  DEADLINE,
  async () => {
    await using daemon = await StandIn.start({ Snapshot: () => snapshotParts("- main") });
    await using shim = await McpSession.start(daemon.address);
    for (const args of [{}, {}, { tab: "t2" }, { role: "admin" }, { tab: "t2" }, { full: false }])
      await shim.call("browser_snapshot", args);
    assert.deepEqual(
      daemon.callsOf("Snapshot").map(({ request }) => Boolean(request.full)),
      [true, false, true, true, false, false],
    );
  },
);

test("a call that the client cancels also ends in the daemon", DEADLINE, async () => {
  await using daemon = await StandIn.start({ WaitFor: ({ signal }) => aborted(signal) });
  await using shim = await McpSession.start(daemon.address);
  const gaveUp = new AbortController();
  const arrived = daemon.next("WaitFor");
  const call = shim.client.callTool({ name: "browser_wait_for", arguments: { text: "x" } }, undefined, {
    signal: gaveUp.signal,
  });
  const { signal } = await arrived;
  const ended = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  gaveUp.abort();
  await assert.rejects(call);
  await ended;
  assert.equal(textOf(await shim.call("browser_press_key", { key: "a" })), "");
});

test("a long call reports its progress, if the client asked for it", DEADLINE, async () => {
  const { promise: told, resolve: tell } = Promise.withResolvers<{ progress: number; message?: string }>();
  await using daemon = await StandIn.start({
    WaitFor: async () => {
      await told;
      return { text: "there it is" };
    },
  });
  await using shim = await McpSession.start(daemon.address);
  const result = await shim.client.callTool(
    { name: "browser_wait_for", arguments: { text: "x" } },
    undefined,
    { onprogress: tell },
  );
  assert.equal(textOf(result as never), "there it is");
  assert.equal((await told).progress, 1);
});

test("an unforeseen error is an internal error with a report and no stack", DEADLINE, async () => {
  await using daemon = await StandIn.start({
    Click: () => {
      throw new Error("boom at /secret/path.ts:1");
    },
    Navigate: () => {
      throw fail("INTERNAL", { reportId: "r42" });
    },
    Snapshot: () => [],
  });
  await using shim = await McpSession.start(daemon.address);
  for (const [tool, args] of [
    ["browser_click", { ref: "e1" }],
    ["browser_navigate", { url: "https://x/" }],
    ["browser_snapshot", {}],
  ] as const) {
    const result = await shim.call(tool, args);
    assert.equal(result.isError, true);
    assert.equal(errorOf(result).type, "INTERNAL");
    assert.doesNotMatch(JSON.stringify(result), /boom|secret|\.ts:|\n +at /);
    // The person who runs the client finds it in the log by the report's id.
    const report = shim.reports.pop() ?? "";
    assert.ok(report.startsWith(`report ${errorOf(result).details.reportId}: `), report);
    assert.match(report, /\n +at .*\.[tj]s:\d+/);
  }
});

test(
  "a silent daemon is reported before the client's own timeout, and not asked again",
  DEADLINE,
  async () => {
    await using daemon = await StandIn.start({ Snapshot: ({ signal }) => aborted(signal) });
    await using shim = await McpSession.start(daemon.address, { deadlineMs: 2_000 });
    const result = await shim.call("browser_snapshot");
    assert.equal(errorOf(result).type, "DAEMON_UNREACHABLE");
    assert.match(textOf(result), /no answer came within/);
    assert.equal(daemon.callsOf("Snapshot").length, 1);
  },
);

test("a daemon that notices a call's deadline before the client is not asked again", DEADLINE, async () => {
  await using daemon = await StandIn.start({
    Snapshot: () => {
      throw Object.assign(new Error("late"), { code: status.DEADLINE_EXCEEDED });
    },
  });
  await using shim = await McpSession.start(daemon.address);
  const result = await shim.call("browser_snapshot");
  assert.equal(errorOf(result).type, "DAEMON_UNREACHABLE");
  assert.equal(daemon.callsOf("Snapshot").length, 1);
});
