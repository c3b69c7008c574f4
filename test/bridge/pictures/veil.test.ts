// Tests that the page can be read and acted on as ever while secrets in it are covered for a picture.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const SECRET = "correct-horse";
/** The ways in which an element may show the secret. */
const SHOWN: Record<string, string> = {
  "a button": `<button>Go on as ${SECRET}</button>`,
  "a link with a transition": `<style>a { transition: all 5s }</style><a href="#x">${SECRET}</a>`,
  "a field": `<input aria-label="Copy" value="${SECRET}">`,
  "a list": `<select aria-label="Which"><option>${SECRET}</option></select>`,
  "a drawing": `<svg role="img" aria-label="Plan"><text y="20">${SECRET}</text></svg>`,
  "an element without a box": `<p><b style="display: contents">${SECRET}</b></p>`,
  "a modal dialog": `<dialog id="d"><button>${SECRET}</button></dialog><script>d.showModal()</script>`,
};

/** Returns all that a call may learn of the page. */
async function seen(): Promise<unknown> {
  const tree = await bridge.tree();
  const refs = [...tree.matchAll(/\[ref=(\w+)\]/g)].map(([, ref]) => String(ref));
  return { tree, ready: await Promise.all(refs.map((ref) => bridge.call("ready", ref, "click"))) };
}

for (const [what, html] of Object.entries(SHOWN))
  for (const isWhole of [false, true])
    test(`${what} that shows a secret is read and met as ever while ${isWhole ? "all" : "it"} is covered`, async () => {
      await bridge.open(`<!doctype html><title>Echo</title>${html}<p>More</p>`);
      const before = await seen();
      const body = await bridge.run("document.documentElement.outerHTML");
      const { text } = await bridge.call("shownText");
      const from = text?.indexOf(SECRET) ?? -1;
      assert.ok(from >= 0, String(text));
      const parts: [number, number][] = [[from, from + SECRET.length]];
      await bridge.call("veil", isWhole ? undefined : parts, [], false);
      assert.notEqual(await bridge.run("document.documentElement.outerHTML"), body);
      assert.deepEqual(await seen(), before);
      assert.deepEqual(await bridge.call("shownText"), { text, holds: true });
      await bridge.call("unveil");
      assert.deepEqual(await bridge.run("document.documentElement.outerHTML"), body);
      assert.deepEqual(await seen(), before);
    });
