// Tests repeated browser_snapshot calls: they show changes since the last delivery, or the whole page if that may be
// lacking.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const counter = `<h1>Counter</h1><button onclick="n.value++">More</button><output id=n>0</output>`;
/** More than half of the default budget, less than all of it. */
const long = Array.from({ length: 220 }, (_, row) => `<li><a href=/${row}>Row number ${row}, with words</a>`);

test("right after a navigation or an action, nothing is delivered twice", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(counter));
  const opened = await session.do("browser_snapshot");
  assert.match(opened.text, /^unchanged since snapshot 1 \(\d+ elements\); browser_snapshot full=true/);
  const clicked = await session.do("browser_click", { ref: refOf(page, "More") });
  assert.match(clicked.text, /status.*: 1/);
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_UNCHANGED");
  // Without an action in between, the reader may have lost the page.
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_FULL");
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_UNCHANGED");
  await session.do("browser_press_key", { key: "Shift" });
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_UNCHANGED");
});

test("only the changes since an action are shown", async () => {
  await using session = worker.session();
  const signal = site.hold();
  const done = site.hold();
  const page = await session.open(
    site.page(`${counter}<p id=late>Early</p><script>new EventSource('${signal.url}').onmessage = () => {
      late.textContent = 'Late';
      new EventSource('${done.url}');
    }</script>`),
  );
  await session.do("browser_click", { ref: refOf(page, "More") });
  signal.release("data: change\n\n", { headers: { "content-type": "text/event-stream" } });
  await done.asked();
  const { kind, text } = await session.do("browser_snapshot");
  assert.equal(kind, "SNAPSHOT_KIND_DELTA");
  assert.match(text, /Late/);
  assert.doesNotMatch(text, /Counter/);
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_FULL");
});

test("a page that a reply showed in half of the budget is shown in full by the next snapshot", async () => {
  await using session = worker.session();
  const opened = await session.open(site.page(`<h1>List</h1><ul>${long.join("")}</ul>`));
  assert.ok(opened.length <= 12_000, `${opened.length} characters`);
  assert.match(opened, /more listitem like these/);
  const { kind, text } = await session.do("browser_snapshot");
  assert.equal(kind, "SNAPSHOT_KIND_FULL");
  assert.match(text, /Row number 219/);
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_UNCHANGED");
});

test("an action on a folded page shows only its changes until a snapshot asks for more", async () => {
  await using session = worker.session();
  const opened = await session.open(site.page(`${counter}<ul>${long.join("")}</ul>`));
  await session.do("browser_click", { ref: refOf(opened, "More") });
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_UNCHANGED");
  assert.match((await session.do("browser_snapshot")).text, /Row number 219/);
});

test("every reply that shows a new page takes half of the budget", async () => {
  await using session = worker.session();
  const target = site.page(`<h1>List</h1><ul>${long.join("")}</ul>`);
  const page = await session.open(
    site.page(`<a href="${target}">Go</a><a target=_blank href="${target}">Open</a>`),
  );
  const opened = await session.do("browser_click", { ref: refOf(page, "Open") });
  const tab = await session.do("browser_tabs", { action: "new", url: target });
  const selected = await session.do("browser_tabs", { action: "select", tab: "t1" });
  const clicked = await session.do("browser_click", { ref: refOf(page, "Go") });
  await session.do("browser_navigate", { url: site.page("<h1>Other</h1>") });
  const back = await session.do("browser_navigate_back");
  for (const { text } of [opened, tab, clicked, back]) {
    assert.match(text, /Row number 0/);
    assert.ok(text.length <= 12_000, `${text.length} characters`);
  }
  assert.match(selected.text, /link "Go"/);
});

test("a page whose tree no reply has shown is shown whole", async () => {
  await using session = worker.session();
  const signal = site.hold();
  const done = site.hold();
  const reached = site.page(`<button>Reached</button><script>new EventSource('${done.url}')</script>`);
  await session.open(
    site.page(
      `<script>new EventSource('${signal.url}').onmessage = () => { location = '${reached}' }</script>`,
    ),
  );
  signal.release("data: go\n\n", { headers: { "content-type": "text/event-stream" } });
  await done.asked();
  await session.do("browser_find", { text: "Reached" });
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_FULL");
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_UNCHANGED");
});

test("after an error the page is shown whole, because its plan sends the reader there", async () => {
  await using session = worker.session();
  await session.open(site.page(counter));
  await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e77" });
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_FULL");
});

test("a session's first snapshot, and one with other arguments, show the whole page", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(counter));
  const cut = await session.do("browser_snapshot", { maxTokens: 500 });
  assert.equal(cut.kind, "SNAPSHOT_KIND_FULL");
  assert.equal((await session.do("browser_snapshot", { maxTokens: 500 })).kind, "SNAPSHOT_KIND_UNCHANGED");
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_FULL");
  await session.do("browser_snapshot", { ref: refOf(page, "More") });
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_FULL");
  // An action's reply is relative to the page, whichever part of it was asked for before.
  await session.do("browser_snapshot", { ref: refOf(page, "More") });
  await session.do("browser_click", { ref: refOf(page, "More") });
  assert.equal((await session.do("browser_snapshot")).kind, "SNAPSHOT_KIND_UNCHANGED");
});
