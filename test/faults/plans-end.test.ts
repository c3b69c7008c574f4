// Faults that no plan resolves: each of their plans differs from the one before, and the last names the person to ask.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { refOf } from "../harness/troupe.ts";
import { type FaultHarness, openFaultHarness } from "./stage/fault-harness.ts";
import { followPlan, type Heard, plansGivenTwice } from "./stage/literal-agent.ts";

describe("a plan without effect is not given again", () => {
  let harness: FaultHarness;
  before(async () => {
    harness = await openFaultHarness();
  });
  after(() => harness[Symbol.asyncDispose]());

  test("a server that always closes the connection", () =>
    harness.play(async (stage) => {
      const server = createServer((socket) =>
        socket.on("error", () => socket.destroy()).once("data", () => socket.end()),
      );
      const { promise, resolve } = Promise.withResolvers<void>();
      server.listen(0, "127.0.0.1", resolve);
      await promise;
      stage.defer(() => void server.close());
      const { port } = server.address() as { port: number };
      const agent = await stage.agent();
      const attempt = await followPlan(
        agent,
        await agent.call("browser_navigate", { url: `http://127.0.0.1:${port}/` }),
      );
      assert.deepEqual(plansGivenTwice(attempt), []);
      checkEnd(attempt.heard, new RegExp(`127\\.0\\.0\\.1:${port}`));
    }));

  test("a dialog that nothing closes", () =>
    harness.play(async (stage) => {
      const agent = await stage.agent();
      const page = await agent.open(`<button>Buy</button>
        <div role=dialog aria-label=Offer style="position: fixed; inset: 0; background: #fff"><button>Take it</button></div>`);
      const args = { ref: refOf(page, "button", "Buy") };
      const heard = [await agent.call("browser_click", args)];
      // The test does every step except choices: it presses all buttons.
      for (let newest = heard[0]; newest?.error?.recoverable; newest = heard.at(-1)) {
        assert.ok(heard.length < 8, "it never ends");
        for (const { tool, arguments: step = {} } of newest.error.steps)
          if (tool && tool !== "browser_click")
            await agent.call(tool, tool === "browser_wait_for" ? { ...step, time: 0.1 } : step);
        heard.push(await agent.call("browser_click", args));
      }
      assert.deepEqual(plansGivenTwice({ calls: 0, heard }), []);
      checkEnd(heard, /dialog "Offer"/);
      assert.match(heard[0]?.text ?? "", /^Controls in it: button "Take it" \[ref=\w+\]$/m);
    }));
});

/** Checks that the last error names the person to ask, and does not ask for another try. */
function checkEnd(heard: readonly Heard[], who: RegExp): void {
  const last = heard.at(-1);
  assert.equal(last?.error?.recoverable, false, last?.text ?? "");
  assert.match(last?.error?.steps.at(-1)?.text ?? "", who);
  assert.equal(last?.error?.retry, undefined);
}
