// A reply says what changed without a mutation record, even if another change, which has one, comes with it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const ROWS = Array.from({ length: 50 }, (_, row) => `<li>Row ${row}</li>`).join("");

for (const [change, content, script] of [
  [
    "a custom element that is defined",
    "<style>x-late:not(:defined) { display: none }</style><x-late>shown</x-late>",
    "customElements.define('x-late', class extends HTMLElement {})",
  ],
  [
    "a slot that a script fills",
    `<x-host id=host><b>one</b><u>shown</u></x-host><script>
      host.attachShadow({ mode: "open", slotAssignment: "manual" }).innerHTML = "<slot></slot>";
      host.shadowRoot.querySelector("slot").assign(host.querySelector("b"));
    </script>`,
    "host.shadowRoot.querySelector('slot').assign(host.querySelector('u'))",
  ],
] as const)
  test(`the reply shows ${change}, although a heading changes too`, async () => {
    await bridge.open(`<!doctype html><h1>Heading</h1><ul><li>${content}</li>${ROWS}</ul>`);
    const { snapshot: since, text } = await bridge.call("tree", {});
    assert.doesNotMatch(text, /shown/);
    await bridge.run(`${script}; document.querySelector("h1").append("!")`);
    assert.match((await bridge.call("tree", { since, styleMoved: true })).text, /shown/);
    assert.match(await bridge.tree({ styleMoved: false }), /shown/);
  });
