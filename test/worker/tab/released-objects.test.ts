// Tests that Chrome's object references are released: no snapshot keeps alive what the page has removed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage({
  browser: { headless: true, sandbox: "auto", args: ["--js-flags=--expose-gc"] },
});

const RENDERS = 60;
const EACH = 40;

const page = (
  element: string,
) => `<button onclick="render()">Render</button><button onclick="count()">Count</button>
  <output id=out></output><div id=box></div><script>
  customElements.define("x-plain", class extends HTMLElement {});
  customElements.define("x-card", class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: "closed" }).innerHTML = "<b>card</b>"; } });
  const made = [];
  function render() {
    box.textContent = "";
    for (let at = 0; at < ${EACH}; at++) {
      const el = document.createElement("${element}");
      el.textContent = "item " + made.length;
      made.push(new WeakRef(el));
      box.append(el);
    }
  }
  async function count() {
    box.textContent = "";
    // In a task of its own, no address on the stack keeps an object alive by chance.
    for (let round = 0; round < 5; round++) await gc({ type: "major", execution: "async" });
    out.textContent = "alive " + made.filter((ref) => ref.deref()).length;
  }</script>`;

for (const element of ["x-plain", "x-card"]) {
  test(`elements like ${element} that the page has removed are not kept alive by snapshots`, async () => {
    await using session = worker.session();
    const text = await session.open(site.page(page(element)));
    for (let render = 0; render < RENDERS; render++)
      await session.do("browser_click", { ref: refOf(text, "Render") });
    await session.do("browser_click", { ref: refOf(text, "Count") });
    const { text: counted } = await session.do("browser_wait_for", { text: "alive" });
    const alive = Number(/alive (\d+)/.exec(await session.read())?.[1]);
    assert.ok(alive >= 0, counted);
    // The trees that were delivered last keep their elements alive.
    assert.ok(alive < (RENDERS * EACH) / 2, `${alive} of ${RENDERS * EACH} elements are alive`);
  });
}
