// Tests that pages collect garbage in every session and every frame's process. A page that hangs does not prevent that.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

/** Shows if an object without references still exists. */
const WEAK = `<button onclick="out.textContent = ref.deref() ? 'held' : 'thrown away'">Look</button><p id=out></p>
  <script>ref = new WeakRef({})</script>`;

test("objects without references are collected in all processes, even beside a page that hangs", async () => {
  await using hanging = worker.session();
  await using session = worker.session();
  await using framed = worker.session();
  const said = site.hold();
  const hang = `<button onclick="fetch('${said.url}'); setTimeout(() => { for (;;); }, 50)">Hang</button>`;
  const ref = refOf(await hanging.open(site.page(hang)), "Hang");
  const plain = await session.open(site.page(WEAK));
  const inner = site.elsewhere(site.page(WEAK));
  const around = await framed.open(site.page(`<iframe title=F src="${inner}" height=300></iframe>`));
  const hung = hanging.call("browser_click", { ref }, { deadlineMs: 5_000 });
  await said.asked();
  await worker.collectGarbage();
  assert.match((await session.do("browser_click", { ref: refOf(plain, "Look") })).text, /thrown away/);
  assert.match((await framed.do("browser_click", { ref: refOf(around, "Look") })).text, /thrown away/);
  await hung;
});
