// The metrics of a real daemon with a real page show which calls count as recovered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, startTroupe } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";

const HTML = `<!doctype html><title>Rendered anew</title><main>
<div id="box"><button>Save</button></div><button>Other</button>
<button onclick="box.innerHTML = '<button>Save</button>'">Render</button></main>`;

test("only an action on the intended element recovers from a stale ref", async () => {
  await using site = await serveSite();
  await using troupe = await startTroupe({ roles: { worn: {} } });
  await using agent = await troupe.agent("--role", "worn");
  const recovered = async () => {
    const text = await (await fetch(new URL("/metrics", troupe.http))).text();
    const count = /^troupe_error_episodes_total\{type="STALE_REF",role="worn",outcome="recovered"\} (\d+)$/m;
    const calls = /^troupe_recovery_calls_sum\{type="STALE_REF"\} (\d+)$/m;
    return [count, calls].map((each) => Number(each.exec(text)?.[1] ?? 0));
  };
  const opened = await agent.text("browser_navigate", { url: site.page(HTML) });
  const save = refOf(opened, "button", "Save");
  const other = refOf(opened, "button", "Other");
  await agent.text("browser_click", { ref: refOf(opened, "button", "Render") });

  const { error } = await agent.call("browser_click", { ref: save });
  assert.equal(error?.type, "STALE_REF");
  const candidate = error.candidates[0]?.ref ?? assert.fail("no candidate");
  await agent.text("browser_click", { ref: other });
  assert.deepEqual(await recovered(), [0, 0], "another element was clicked");
  await agent.text("browser_click", { ref: candidate });
  assert.deepEqual(await recovered(), [1, 2]);

  // If a tool's reply names no element, its ref identifies it.
  assert.equal((await agent.call("browser_wait_for", { ref: save })).error?.type, "STALE_REF");
  await agent.text("browser_wait_for", { ref: other });
  await agent.text("browser_wait_for", { text: "Other" });
  assert.deepEqual(await recovered(), [1, 2], "another element, and none, was waited for");
  await agent.text("browser_wait_for", { ref: candidate });
  assert.deepEqual(await recovered(), [2, 5]);
});
