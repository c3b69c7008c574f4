// Tests Watch: it sends a tab's tree, then each change of it, until the client leaves.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../../proto/errors/status.ts";
import type { Input, SnapshotUpdate, WatchRequest } from "../../../proto/gen/troupe.ts";
import { refOf, stage, type WorkerSession } from "../../harness/worker.ts";

const { worker, site } = await stage();
const UPDATE_MS = 20_000;

const counter = `<h1>Counter</h1><button onclick="out.textContent = Number(out.textContent) + 1">More</button><p id=out>0</p>`;

/** Watches until the test is over. */
function watching(t: TestContext, session: WorkerSession, request: Input<WatchRequest> = {}) {
  const over = new AbortController();
  t.after(() => over.abort());
  const stream = session.watch(request, { signal: over.signal });
  // The tests that need the stream's end ask for it.
  stream.on("error", () => undefined);
  return { stream, next: reader(stream), over };
}

/** Returns the next update. Rejects with the stream's end. */
function reader(stream: ClientReadableStream<SnapshotUpdate>): () => Promise<SnapshotUpdate> {
  const updates: AsyncIterator<SnapshotUpdate> = stream[Symbol.asyncIterator]();
  return async () => {
    const deadline = AbortSignal.timeout(UPDATE_MS);
    const { promise, reject } = Promise.withResolvers<never>();
    deadline.addEventListener("abort", () => reject(new Error("no update came")));
    const { value, done } = await Promise.race([updates.next(), promise]);
    assert.ok(!done, "the stream has ended");
    return value;
  };
}

test("the tree comes first, then what changed, with refs that can be used at once", async (t) => {
  await using session = worker.session();
  await session.open(site.page(counter));
  const { next } = watching(t, session);
  const first = await next();
  assert.equal(first.kind, "SNAPSHOT_KIND_FULL");
  assert.match(first.text, /heading "Counter"/);
  assert.equal(first.page?.session, session.id);
  await session.do("browser_click", { ref: refOf(first.text, "More") });
  let update = await next();
  while (!/paragraph: 1/.test(update.text)) update = await next();
  assert.equal(update.kind, "SNAPSHOT_KIND_DELTA");
  assert.doesNotMatch(update.text, /heading/);
});

test("a reader that draws the tree anew gets the whole one each time, and nothing while it rests", async (t) => {
  await using session = worker.session();
  await session.open(site.page(counter));
  const { next } = watching(t, session, { whole: true });
  const first = await next();
  await session.do("browser_click", { ref: refOf(first.text, "More") });
  let update = await next();
  while (!/paragraph: 1/.test(update.text)) update = await next();
  assert.equal(update.kind, "SNAPSHOT_KIND_FULL");
  assert.match(update.text, /heading "Counter"/);
});

test("a value that a script sets without any mutation is reported too", async (t) => {
  await using session = worker.session();
  await session.open(
    site.page(
      `<input aria-label=Name id=field><button onclick="setTimeout(() => { field.value = 'later' }, 100)">Go</button>`,
    ),
  );
  const { next } = watching(t, session);
  const { text } = await next();
  await session.do("browser_click", { ref: refOf(text, "Go") });
  let update = await next();
  while (!/later/.test(update.text)) update = await next();
  assert.match(update.text, /textbox "Name".*: later/);
});

test("a slow reader gets the latest state, not every one", async (t) => {
  await using session = worker.session();
  const filler = Array.from({ length: 400 }, (_, row) => `<p class=row>Row ${row} version 0</p>`).join("");
  const page = await session.open(
    site.page(
      `<button onclick="version++; for (const row of document.querySelectorAll('.row')) row.textContent = row.textContent.replace(/\\d+$/, version)">Again</button>${filler}<script>let version = 0</script>`,
    ),
  );
  const { stream, next } = watching(t, session, { maxTokens: 0 });
  await next();
  stream.pause();
  const clicks = 40;
  for (let click = 0; click < clicks; click++)
    await session.do("browser_click", { ref: refOf(page, "Again") });
  stream.resume();
  let updates = 1;
  while (!(await next()).text.includes(`version ${clicks}`)) updates++;
  assert.ok(updates < clicks, `${updates} updates for ${clicks} changes`);
});

test("a new document is sent whole, in the same stream", async (t) => {
  await using session = worker.session();
  await session.open(site.page(counter));
  const { next } = watching(t, session);
  await next();
  await session.open(site.page("<h1>Another</h1>"));
  let update = await next();
  while (!/heading "Another"/.test(update.text)) update = await next();
  assert.equal(update.kind, "SNAPSHOT_KIND_FULL");
});

test("changes inside frames are sent, whatever their process", async (t) => {
  await using session = worker.session();
  const inner = site.elsewhere(site.page(counter));
  await session.open(site.page(`<h1>Outer</h1><iframe title=Inner src="${inner}"></iframe>`));
  const { next } = watching(t, session);
  let update = await next();
  while (!/button "More"/.test(update.text)) update = await next();
  await session.do("browser_click", { ref: refOf(update.text, "More") });
  update = await next();
  while (!/paragraph: 1/.test(update.text)) update = await next();
  assert.doesNotMatch(update.text, /heading "Outer"/);
});

test("an open dialog is sent, and so are the changes after it", async (t) => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button onclick="confirm('Sure?'); out.textContent = 'done'">Ask</button><p id=out></p>`),
  );
  const { next } = watching(t, session);
  await next();
  await session.do("browser_click", { ref: refOf(page, "Ask") });
  let update = await next();
  while (!/Dialog open \(confirm\): "Sure\?"/.test(update.text)) update = await next();
  await session.do("browser_handle_dialog", { accept: true });
  update = await next();
  while (!/done/.test(update.text)) update = await next();
});

test("watching does not change what the session itself receives", async (t) => {
  await using session = worker.session();
  const page = await session.open(site.page(counter));
  const { next } = watching(t, session);
  await next();
  // The watcher takes more snapshots than the number of kept trees.
  for (let count = 1; count <= 6; count++) {
    await session.do("browser_press_key", { key: "Tab" });
    await session.do("browser_click", { ref: refOf(page, "More") });
    let update = await next();
    while (!update.text.includes(`paragraph: ${count}`)) update = await next();
  }
  const { text } = await session.do("browser_click", { ref: refOf(page, "More") });
  assert.match(text, /changed since snapshot/);
  assert.match(text, /paragraph: 7/);
});

test("refs that a watcher receives of a new document do not make earlier refs valid", async (t) => {
  await using session = worker.session();
  const go = site.hold();
  const two = site.page(`<button onclick="out.textContent = 'paid'">Pay now</button><p id=out>unpaid</p>`);
  const leave = `<script>new EventSource('${go.url}').onmessage = () => { location.href = '${two}' }</script>`;
  const page = await session.open(site.page(`<button>Read more</button>${leave}`));
  const { next } = watching(t, session);
  await next();
  go.release("data: go\n\n", { headers: { "content-type": "text/event-stream" } });
  let update = await next();
  while (!/Pay now/.test(update.text)) update = await next();
  const ref = refOf(update.text, "Pay now");
  assert.equal(ref, refOf(page, "Read more"));
  const { text } = await session.refuse("UNKNOWN_REF", "browser_click", { ref });
  assert.match(text, /given for a page that is gone/);
  assert.match(await session.read(), /unpaid/);
  await session.do("browser_click", { ref });
});

test("an element that only a watcher received can be acted on, however much has changed since", async (t) => {
  await using session = worker.session();
  const go = site.hold();
  await session.open(
    site.page(
      `<div id=box></div><p id=n>0</p><script>new EventSource('${go.url}').onmessage = (event) => {
        event.target.close();
        box.innerHTML = '<button>Late</button>';
        setInterval(() => { n.textContent = Number(n.textContent) + 1 }, 80);
      }</script>`,
    ),
  );
  const { next } = watching(t, session);
  await next();
  go.release("data: go\n\n", { headers: { "content-type": "text/event-stream" } });
  let update = await next();
  while (!/Late/.test(update.text)) update = await next();
  const ref = refOf(update.text, "Late");
  for (let updates = 0; updates < 30; updates++) await next();
  await session.do("browser_click", { ref });
});

test("the stream ends with the tab, and says so by type", async (t) => {
  await using session = worker.session();
  await session.open(site.page(counter));
  const { next } = watching(t, session, { tab: "t1" });
  await next();
  const ended = assert.rejects(next(), (error) => fromStatus(error as ServiceError)?.type === "UNKNOWN_TAB");
  await session.do("browser_tabs", { action: "close", tab: "t1" });
  await ended;
});

test("a watch that reaches its deadline leaves the session's navigation alone", async () => {
  await using session = worker.session();
  await session.open(site.page(counter));
  const held = site.hold();
  const navigation = session.do("browser_navigate", { url: held.url });
  await held.asked();
  const stream = session.watch({}, { deadlineMs: 400 });
  await assert.rejects(reader(stream)(), (error) => fromStatus(error as ServiceError)?.type === "TIMEOUT");
  held.release("<h1>Late</h1>");
  assert.match((await navigation).text, /heading "Late"/);
});

test("a watch may begin under a dialog", async (t) => {
  await using session = worker.session();
  const page = await session.open(site.page(`<button onclick="alert('Wait')">Ask</button>`));
  await session.do("browser_click", { ref: refOf(page, "Ask") });
  const { next } = watching(t, session);
  assert.match((await next()).text, /Dialog open \(alert\): "?Wait/);
});

test("a tab has a bounded number of watchers", async (t) => {
  await using session = worker.session();
  await session.open(site.page(counter));
  const watchers = Array.from({ length: 8 }, () => watching(t, session));
  await Promise.all(watchers.map(({ next }) => next()));
  await assert.rejects(
    watching(t, session).next(),
    (error) => fromStatus(error as ServiceError)?.type === "BUSY",
  );
  watchers[0]?.over.abort();
  for (;;) {
    // A watcher's leaving is known only when its cancellation has arrived.
    try {
      await watching(t, session).next();
      return;
    } catch (error) {
      assert.equal(fromStatus(error as ServiceError)?.type, "BUSY");
    }
  }
});
