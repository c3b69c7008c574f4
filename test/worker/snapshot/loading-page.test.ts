// Tests that a page which is shown while it still loads says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

test("a page that still reports loading at its bound is shown with a line that says so, once", async () => {
  await using session = worker.session();
  const signal = site.hold();
  const done = site.hold();
  const page = site.page(`<h1>Orders</h1><div id=list aria-busy=true><p>One moment</p></div><script>
    new EventSource('${signal.url}').onmessage = () => {
      list.innerHTML = '<p>Order 1001</p>';
      list.removeAttribute('aria-busy');
      new EventSource('${done.url}');
    }</script>`);
  const opened = await session.open(page);
  assert.match(
    opened,
    /^The page says that it is still loading .*: browser_snapshot shows what has come\.$/m,
  );
  signal.release("data: go\n\n", { headers: { "content-type": "text/event-stream" } });
  await done.asked();
  const { text } = await session.do("browser_snapshot");
  assert.match(text, /Order 1001/);
  assert.doesNotMatch(text, /still loading/);
});

for (const [what, html] of [
  ["a sign that is hidden", "<div hidden aria-busy=true></div>"],
  [
    "a spinner that is a number field",
    "<span class=ui-spinner><input class=ui-spinner-input value=1></span>",
  ],
  ["a progress bar that is kept from everybody", "<div role=progressbar aria-hidden=true>.</div>"],
])
  test(`a filled page has no line about loading: ${what}`, async () => {
    await using session = worker.session();
    const opened = await session.open(site.page(`<h1>Orders</h1>${html}`));
    assert.doesNotMatch(opened, /still loading/);
  });
