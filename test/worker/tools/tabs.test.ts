// Tests tabs and popups: a new one becomes the current tab, and a closed one gives way to its opener.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();
const one = site.page("<title>One</title><h1>Page one</h1>");
const two = site.page(
  "<title>Two</title><h1>Page two</h1><button onclick='window.close()'>Close me</button>",
);

test("tabs are opened, listed, selected and closed, and no id is reused", async () => {
  await using session = worker.session();
  const none = await session.do("browser_tabs", { action: "list" });
  assert.match(none.text, /No tabs are open/);
  await session.open(one);
  const opened = await session.do("browser_tabs", { action: "new", url: two });
  assert.match(opened.text, /^Opened tab t2/);
  assert.match(opened.text, new RegExp(`t1 "One" ${one}\nt2 \\(current\\) "Two" ${two}`));
  const selected = await session.do("browser_tabs", { action: "select", tab: "t1" });
  assert.match(selected.text, /t1 \(current\) "One"/);
  assert.match(selected.text, /Page one/);
  await session.do("browser_tabs", { action: "close", tab: "t2" });
  assert.match((await session.do("browser_tabs", { action: "new" })).text, /^Opened tab t3/);
  const { tabs } = (await session.do("browser_tabs", { action: "list" })) as unknown as { tabs: object[] };
  assert.deepEqual(tabs, [
    { id: "t1", title: "One", url: one, current: false },
    { id: "t3", title: "", url: "about:blank", current: true },
  ]);
});

test("an unknown or closed tab is refused with a list of the open ones", async () => {
  await using session = worker.session();
  await session.open(one);
  const refusal = await session.refuse("UNKNOWN_TAB", "browser_snapshot", { tab: "t9" });
  assert.deepEqual(refusal.details, { tab: "t9", tabs: ["t1"] });
  await session.refuse("UNKNOWN_TAB", "browser_tabs", { action: "select", tab: "t9" });
  await session.refuse("INVALID_ARGUMENT", "browser_tabs", { action: "select" });
  await session.do("browser_tabs", { action: "close" });
  await session.refuse("UNKNOWN_TAB", "browser_snapshot", { tab: "t1" });
  // A session without tabs gets one again.
  assert.match(await session.open(one), /tab t2/);
});

test("a session without tabs opens none just to close it", async () => {
  await using session = worker.session();
  const { text } = await session.do("browser_tabs", { action: "close" });
  assert.match(text, /^No tab is open in this role/);
  assert.match((await session.do("browser_tabs", { action: "new" })).text, /^Opened tab t1/);
});

test("a popup becomes the current tab, and closing it returns to its opener", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<h1>Opener</h1><a href="${two}" target=_blank>Pop</a>`));
  const popped = await session.do("browser_click", { ref: refOf(page, "Pop") });
  assert.match(popped.text, /Opened tab t2, which is the current one now\./);
  assert.match(popped.text, /Page two/);
  assert.equal(popped.page?.tab, "t2");
  const closed = await session.do("browser_tabs", { action: "close" });
  assert.match(closed.text, /^Closed tab t2\nt1 \(current\)/);
  assert.match(await session.read(), /Opener/);
});

test("a popup that closes itself gives its opener back", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<h1>Opener</h1><button onclick="window.open('${two}')">Pop</button>`),
  );
  const popped = await session.do("browser_click", { ref: refOf(page, "Pop") });
  const closed = await session.do("browser_click", { ref: refOf(popped.text, "Close me") });
  assert.match(closed.text, /The tab t2 was closed\./);
  assert.match(closed.text, /Opener/);
  assert.equal(closed.page?.tab, "t1");
});

test("a popup's alert during load is reported by the click that opened it", async () => {
  await using session = worker.session();
  const alerting = site.page("<script>alert('from the popup')</script><h1>Popped</h1>");
  const page = await session.open(
    site.page(`<button onclick="window.open('${alerting}', '_blank', 'width=300')">Pop</button>`),
  );
  const { text, page: info } = await session.do("browser_click", { ref: refOf(page, "Pop") });
  assert.match(text, /Opened tab t2/);
  assert.match(text, /Dialog open \(alert\): "from the popup"/);
  assert.equal(info?.tab, "t2");
  const answered = await session.do("browser_handle_dialog", { accept: true });
  assert.match(answered.text, /Popped|Nothing changed/);
  assert.match(await session.read(), /heading "Popped"/);
});

test("a popup that is closed as soon as it is opened has no effect", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button onclick="window.open('${two}').close(); out.textContent='opened and closed'">Flash</button><output id=out></output>`,
    ),
  );
  for (let time = 0; time < 3; time++) await session.do("browser_click", { ref: refOf(page, "Flash") });
  assert.match(await session.read({ tab: "t1" }), /opened and closed/);
});

test("a tab that a page opens by itself is announced by the next reply", async () => {
  await using session = worker.session();
  const signal = site.hold();
  const popped = site.hold();
  const page = await session.open(
    site.page(
      `<button onclick="new EventSource('${signal.url}').onmessage = () => window.open('${popped.url}')">Later</button>`,
    ),
  );
  await session.do("browser_click", { ref: refOf(page, "Later") });
  signal.release("data: now\n\n", { headers: { "content-type": "text/event-stream" } });
  await popped.asked();
  popped.release("<h1>By itself</h1>");
  const { text } = await session.do("browser_snapshot", { tab: "t1" });
  assert.match(text, /New tab: t2 .* \(current\)/);
  assert.match(await session.read(), /By itself/);
});

test("an action works in a tab that is not the current one", async () => {
  await using session = worker.session();
  const first = await session.open(
    site.page(
      `<button onclick="requestAnimationFrame(() => out.textContent='animated')">Go</button><output id=out></output>`,
    ),
  );
  await session.do("browser_tabs", { action: "new", url: two });
  const { text, page } = await session.do("browser_click", { ref: refOf(first, "Go"), tab: "t1" });
  assert.match(text, /animated/);
  assert.equal(page?.tab, "t1");
  assert.match(await session.read(), /Page two/);
});

test("a popup's dialog also blocks its opener in the same process, but not other tabs", async () => {
  await using session = worker.session();
  const alerting = site.page("<button onclick=\"alert('wait')\">Alert</button>");
  const page = await session.open(
    site.page(
      `<h1>Opener</h1><button onclick="window.open('${alerting}')">Pop</button><button onclick="window.open('${alerting}', '_blank', 'noopener')">Alone</button>`,
    ),
  );
  const alone = await session.do("browser_click", { ref: refOf(page, "Alone") });
  await session.do("browser_click", { ref: refOf(alone.text, "Alert") });
  assert.match(await session.read({ tab: "t1" }), /Opener/);
  await session.do("browser_handle_dialog", { accept: true });

  const popped = await session.do("browser_click", { ref: refOf(page, "Pop"), tab: "t1" });
  await session.do("browser_click", { ref: refOf(popped.text, "Alert") });
  const { details } = await session.refuse("DIALOG_OPEN", "browser_snapshot", { tab: "t1" });
  assert.equal(details.tab, "t3");
  await session.do("browser_handle_dialog", { accept: true, tab: "t1" });
  assert.match(await session.read({ tab: "t1" }), /Opener/);
});

test("a page that opens tabs without end gets up to the bound, and a reply names a few of them", async () => {
  await using session = worker.session();
  const blank = site.page("");
  const page = await session.open(
    site.page(
      `<button onclick="for (let n = 0; n < 55; n++) window.open('${blank}'); out.textContent = 'all asked for'">Flood</button><output id=out></output>`,
    ),
  );
  const { text } = await session.do("browser_click", { ref: refOf(page, "Flood") });
  const read = await session.read({ tab: "t1" });
  assert.match(read, /all asked for/);
  for (const reply of [text, read]) assert.ok((reply.match(/^New tab: /gm) ?? []).length <= 5, reply);
  assert.match(text + read, /^\d+ more new tabs/m);
  const { tabs } = (await session.do("browser_tabs", { action: "list" })) as unknown as { tabs: object[] };
  assert.equal(tabs.length, 50);
  const { incidents } = await worker.failures();
  assert.equal(incidents.filter(({ kind }) => kind === "too-many-tabs").length, 1);
  const busy = await session.refuse("BUSY", "browser_tabs", { action: "new" });
  assert.equal(busy.retry, undefined, "no tab closes by waiting");
  assert.deepEqual(busy.steps[0]?.arguments, { action: "list" });
  assert.match(busy.steps.at(-2)?.text ?? "", /browser_tabs\(action: "close", tab: …\)/);
  // A tab that was closed to free memory comes back, so no other tab may have its place.
  assert.notEqual(await worker.closeLargestTab(), "");
  await session.refuse("BUSY", "browser_tabs", { action: "new" });
});
