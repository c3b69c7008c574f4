// Tests sessions side by side: none sees anything of another, and none waits for another.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionRecord } from "../../../proto/gen/troupe.ts";
import { refOf, stage, startWorker } from "../../harness/worker.ts";

const { worker, site } = await stage({ name: "tester" });
const one = site.page("<title>One</title><h1>Page one</h1><button>Go</button>");

test("two sessions share no cookies, no storage, no tabs and no refs", async () => {
  await using first = worker.session();
  await using second = worker.session();
  const keeping = site.page(
    `<script>localStorage.secret ??= 'mine'; document.cookie = 'secret=mine'</script><button>Keep</button>`,
  );
  const page = await first.open(keeping);
  const looking = site.page(
    `<p id=out></p><script>out.textContent = 'found: ' + localStorage.secret + ' ' + document.cookie</script>`,
  );
  assert.match(await second.open(looking), /found: undefined/);
  assert.match(await first.open(looking), /found: mine secret=mine/);
  await second.refuse("UNKNOWN_REF", "browser_click", { ref: refOf(page, "Keep") });
  const { text } = await second.do("browser_tabs", { action: "list" });
  assert.equal(text.split("\n").length, 1);
});

test("calls of one session run one at a time, in order; another session's run beside them", async () => {
  await using first = worker.session();
  await using second = worker.session();
  await first.open(one);
  const slow = site.hold();
  const order: string[] = [];
  const navigating = first.open(slow.url).then(() => order.push("navigate"));
  await slow.asked();
  const reading = first
    .do("browser_snapshot", { full: true })
    .then(({ text }) => order.push(/Slow page/.test(text) ? "read slow" : "read"));
  assert.match(await second.open(one), /Page one/);
  assert.deepEqual(order, []);
  slow.release("<h1>Slow page</h1>");
  await Promise.all([navigating, reading]);
  // The page's content shows the order, because replies may overtake each other.
  assert.deepEqual(order.toSorted(), ["navigate", "read slow"]);
});

test("a call that touches no page does not wait for one that does", async () => {
  await using session = worker.session();
  await session.open(site.page("<script>console.log('said')</script>"));
  const slow = site.hold();
  const navigating = session.open(slow.url);
  await slow.asked();
  assert.match((await session.do("browser_console_messages")).text, /said/);
  await session.refuse("NO_DIALOG", "browser_handle_dialog", { accept: true });
  slow.release("done");
  await navigating;
});

test("a cancelled call frees its turn at once", async () => {
  await using session = worker.session();
  await session.open(one);
  const slow = site.hold();
  const controller = new AbortController();
  const cancelled = session.open(slow.url).catch((error: Error) => error);
  const waiting = session.call("browser_navigate", { url: slow.url }, { signal: controller.signal });
  await slow.asked();
  // The call in its turn ends by its deadline, and the waiting one by its client.
  controller.abort();
  await assert.rejects(waiting, { code: 1 });
  slow.release("<h1>Slow page</h1>");
  await cancelled;

  const held = site.hold();
  const inTurn = new AbortController();
  const navigating = session.call("browser_navigate", { url: held.url }, { signal: inTurn.signal });
  await held.asked();
  const next = session.open(one);
  inTurn.abort();
  await assert.rejects(navigating, { code: 1 });
  assert.match(await next, /Page one/);
});

test("a call whose deadline passes while it waits for its turn ends by the deadline", async () => {
  await using session = worker.session();
  const slow = site.hold();
  const navigating = session.open(slow.url);
  await slow.asked();
  const refusal = await session.refuse("TIMEOUT", "browser_snapshot", {}, { deadlineMs: 600 });
  assert.equal(refusal.details.waitedFor, "the session's turn");
  slow.release("done");
  await navigating;
});

test("a session that is ended ends its calls, and its id starts a new session", async () => {
  const session = worker.session();
  await session.open(one);
  const slow = site.hold();
  const navigating = session.call("browser_navigate", { url: slow.url });
  await slow.asked();
  await worker.endSession(session.id);
  const { error } = await navigating;
  assert.equal(error?.type, "SESSION_EXPIRED");
  slow.release();
  assert.match((await session.do("browser_tabs", { action: "list" })).text, /No tabs are open/);
  await worker.endSession(session.id);
  // A session that does not exist has already ended.
  await worker.endSession(session.id);
  await worker.endSession("nobody");
});

test("a session that is ended while its first tab opens ends that call too", async () => {
  const sessions = Array.from({ length: 4 }, () => worker.session());
  const opening = sessions.map((session) => session.call("browser_navigate", { url: one }));
  await Promise.all(sessions.map(({ id }) => worker.endSession(id)));
  for (const { error } of await Promise.all(opening))
    assert.ok(!error || error.type === "SESSION_EXPIRED", String(error?.message));
  await Promise.all(sessions.map(({ id }) => worker.endSession(id)));
});

test("a session's state is reported as it changes, and another worker restores it", async () => {
  const ended = new AbortController();
  let record: SessionRecord | undefined;
  {
    await using first = await startWorker();
    const followed = follow(first.events(ended.signal), (changed) => {
      record = changed;
    });
    const session = first.session();
    const page = await session.open(
      `${site.page(`<title>A</title><a target=_blank href="${one}">Pop</a>`)}#part`,
    );
    const { text } = await session.do("browser_click", { ref: refOf(page, "Pop") });
    assert.match(text, /Opened tab t2/);
    await session.do("browser_tabs", { action: "new", url: one });
    await session.do("browser_tabs", { action: "close" });
    await session.do("browser_tabs", { action: "select", tab: "t1" });
    assert.equal((await first.call("browser_tabs", { action: "list" }, session.id)).error, undefined);
    ended.abort();
    await followed;
  }
  assert.ok(record);
  assert.deepEqual(
    record.tabs.map(({ id, current }) => [id, current]),
    [
      ["t1", true],
      ["t2", false],
    ],
  );
  assert.equal(record.nextTab, 4);

  await using second = await startWorker({ sessions: [record] });
  const key = record.key;
  // Calls that come at once find the same tabs.
  const [list, shown] = await Promise.all([
    second.call("browser_tabs", { action: "list" }, key),
    second.call("browser_console_messages", { tab: "t2" }, key),
  ]);
  assert.equal(shown.error, undefined, shown.text);
  assert.match(list.text, new RegExp(`t1 \\(current\\) .*#part\nt2 .*${one}`));
  const read = await second.call("browser_snapshot", { tab: "t2" }, key);
  assert.match(read.text, /Page one/);
  const current = await second.call("browser_snapshot", {}, key);
  assert.match(current.text, /link "Pop"/);
  assert.match((await second.call("browser_tabs", { action: "new" }, key)).text, /^Opened tab t4/);
});

test("a tab whose first page is on its way is reported with that address", async () => {
  await using own = await startWorker();
  const session = own.session();
  const ended = new AbortController();
  const slow = site.hold();
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const followed = follow(own.events(ended.signal), ({ tabs }) => {
    if (tabs.some(({ url, current }) => current && url === slow.url)) resolve();
  });
  const opening = session.call("browser_tabs", { action: "new", url: slow.url });
  // Its server answers only then.
  await Promise.race([told, opening]);
  slow.release();
  assert.match((await opening).text, /^Opened tab t1/);
  await told;
  ended.abort();
  await followed;
});

test("a session begins at its role's start address", async () => {
  await using starting = await startWorker({ startUrl: one });
  await using session = starting.session();
  assert.match((await session.do("browser_snapshot")).text, /Page one/);
  // The start page needs no navigation: the first call waits for it.
  await using another = starting.session();
  assert.match((await another.do("browser_find", { text: "Page one" })).text, /1 found/);
});

test("a first page that does not answer costs one call, and the next shows the present content", async () => {
  const silent = site.hold();
  const endless = site.route((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.write("<h1>So far</h1>");
  });
  for (const [startUrl, shown, deadlineMs] of [
    [silent.url, /about:blank/, 14_000],
    [endless, /So far/, 5_000],
  ] as const) {
    await using starting = await startWorker({ startUrl });
    await using session = starting.session();
    await session.refuse("TIMEOUT", "browser_snapshot", {}, { deadlineMs });
    assert.match((await session.do("browser_snapshot", {}, { deadlineMs: 5_000 })).text, shown);
    assert.match(await session.open(one), /Page one/);
  }
});

test("a tab selected while its page does not answer shows its present content to the next call", async () => {
  const silent = site.hold();
  const tabs = [
    { id: "t1", url: one, title: "One", current: true },
    { id: "t2", url: silent.url, title: "", current: false },
  ];
  const another = { key: "s2", tabs: tabs.slice(0, 1), nextTab: 2 };
  await using restoring = await startWorker({ sessions: [{ key: "s1", tabs, nextTab: 3 }, another] });
  await using session = restoring.session();
  // The tabs are open again, whatever their pages do.
  await session.do("browser_tabs", { action: "list" });
  await session.refuse("TIMEOUT", "browser_tabs", { action: "select", tab: "t2" }, { deadlineMs: 14_000 });
  assert.match((await session.do("browser_snapshot")).text, /about:blank \(tab t2/);
  // A new tab that is opened first comes after the restored ones.
  await using first = restoring.session();
  const { text } = await first.do("browser_tabs", { action: "new" });
  assert.match(text, /^Opened tab t2\nt1 .*\nt2 \(current\)/);
});

async function follow(
  events: ReturnType<typeof worker.events>,
  changed: (record: SessionRecord) => void,
): Promise<void> {
  try {
    for await (const { session } of events) if (session) changed(session);
  } catch (error) {
    // The test itself cancels the stream.
    if ((error as { code?: number }).code !== 1) throw error;
  }
}

test("a page that comes back late is waited for by the next call, and its address is kept", async () => {
  const late = site.hold();
  const tab = { id: "t1", url: late.url, current: true };
  await using worker = await startWorker({ sessions: [{ key: "s1", tabs: [tab], nextTab: 2 }] });
  const { error, text } = await worker.call("browser_snapshot", {}, "s1", { deadlineMs: 1_000 });
  assert.equal(error?.type, "TIMEOUT", text);
  const next = worker.call("browser_snapshot", {}, "s1");
  late.release("<button>Came late</button>");
  assert.match((await next).text, /Came late/);
});
