import assert from "node:assert/strict";
import { test } from "node:test";
import { fail } from "../../../proto/errors/catalogue.ts";
import { errorOf, McpProcess, textOf } from "../../harness/mcp/mcp-process.ts";
import { StandIn, snapshotParts } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };

test("the shim introduces itself and teaches how to use it", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  await using shim = await McpProcess.start(["--address", daemon.address]);
  assert.equal(shim.client.getServerVersion()?.name, "troupe");
  assert.match(
    shim.client.getInstructions() ?? "",
    /browser_snapshot[\s\S]*ref[\s\S]*select_role[\s\S]*numbered steps/,
  );
  const { tools } = await shim.client.listTools();
  assert.ok(tools.some(({ name }) => name === "browser_click"));
});

test(
  "a successful call shows its text, and warnings of the page only if there are any",
  DEADLINE,
  async () => {
    await using daemon = await StandIn.start({
      Click: ({ request }) => ({
        text: `Clicked ${request.ref}`,
        page: {
          role: "customer",
          session: "s1",
          tab: "t1",
          url: "https://shop.example/",
          snapshotId: 7,
          warnings: { inaccessibleFrames: 1 },
        },
      }),
    });
    await using shim = await McpProcess.start(["--address", daemon.address, "--session", "s1"]);
    const result = await shim.call("browser_click", { ref: "e5", button: "right", role: "customer" });
    assert.equal(textOf(result), "Clicked e5");
    assert.equal(result.isError, undefined);
    assert.deepEqual(result._meta, {
      "troupe.v1/page": {
        role: "customer",
        session: "s1",
        tab: "t1",
        url: "https://shop.example/",
        title: "",
        snapshotId: 7,
        warnings: { inaccessibleFrames: 1 },
      },
    });
    const [call] = daemon.callsOf("Click");
    assert.equal(call?.request.button, "MOUSE_BUTTON_RIGHT");
    assert.equal(call?.headers["x-troupe-session"], "s1");
    assert.equal(call?.headers["x-troupe-role"], "customer");
  },
);

test("a failed call is a plan for the model, and whole for programs", DEADLINE, async () => {
  await using daemon = await StandIn.start({
    Click: () => {
      const element = { ref: "e5", role: "button", name: "Submit", tag: "button" };
      throw fail("STALE_REF", {
        ...element,
        candidates: [{ ref: "e31", role: "button", name: "Submit" }],
      } as never);
    },
  });
  await using shim = await McpProcess.start(["--address", daemon.address]);
  const result = await shim.call("browser_click", { ref: "e5" });
  assert.equal(result.isError, true);
  assert.equal(result.structuredContent, undefined);
  assert.match(textOf(result), /^❌ Stale Element Reference\n\nElement: e5\nType: button\nLabel: "Submit"/);
  assert.match(textOf(result), /🔧 Action Required:\n1\. Call browser_snapshot\(/);
  const detail = errorOf(result);
  assert.equal(detail.type, "STALE_REF");
  assert.equal(detail.tool, "browser_click");
  assert.equal(detail.candidates[0]?.ref, "e31");
});

test("a snapshot of several megabytes arrives whole", DEADLINE, async () => {
  const tree = `- listitem "Größe 🙂"\n`.repeat(150_000);
  await using daemon = await StandIn.start({ Snapshot: () => snapshotParts(tree, { tab: "t1" }) });
  await using shim = await McpProcess.start(["--address", daemon.address]);
  const result = await shim.call("browser_snapshot");
  assert.equal(textOf(result), tree);
  assert.partialDeepStrictEqual(result._meta, { "troupe.v1/page": { tab: "t1" } });
});
