// Tests pages that crash or hang, and browsers that die. The call under way says so, and everything else goes on.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { allGone } from "../../harness/proc.ts";
import { refOf, stage, startWorker, type Worker, type WorkerSession } from "../../harness/worker.ts";
import { killIfThere, renderers, renderersOf, stopped } from "./renderers.ts";

const { worker, site } = await stage();
const one = site.page("<title>One</title><h1>Page one</h1><button>Go</button>");

test("a page whose process dies is opened again, and the call that waited for it reports that", async () => {
  await using session = worker.session();
  await using other = worker.session();
  await other.open(one);
  const url = site.page("<title>Crashing</title><h1>Still here</h1>");
  const own = await renderersOf(worker, () => session.open(url));

  const waiting = session.call("browser_wait_for", { text: "never" });
  // Another question to the page ensures that the wait is under way.
  await session.call("browser_console_messages");
  for (const renderer of own) killIfThere(renderer);
  const { error, text } = await waiting;
  assert.equal(error?.type, "PAGE_CRASHED", text);
  assert.equal(error?.details.url, url);
  assert.ok(error?.steps[0]?.tool);
  assert.match(await session.read(), /Still here/);
  assert.match(await other.read(), /Page one/);
  const { incidents } = await worker.failures();
  assert.equal(incidents.at(-1)?.kind, "page-crashed");
});

/** A form that sends its content to its server. */
const order = (
  sent: string,
) => `<title>Order</title><form action="${sent}"><label>Amount <input name=amount></label>
  <label>Note <textarea name=note></textarea></label><label>Code <input name=code value=A1></label><button>Order now</button></form>`;

/** Opens a page. Returns its text, and a function that crashes it. */
async function openToCrash(session: WorkerSession, html: string) {
  const url = site.page(html);
  let text = "";
  const own = await renderersOf(worker, async () => {
    text = await session.open(url);
  });
  const crash = async () => {
    for (const renderer of own) killIfThere(renderer);
    await worker.recorded("page-crashed", url);
  };
  return { text, crash };
}

test("a page that crashes between two calls is reported once, with the text typed into it", async () => {
  await using session = worker.session();
  const sent = site.page("<h1>Sent</h1>");
  const { text, crash } = await openToCrash(session, order(sent));
  await session.do("browser_type", { ref: refOf(text, "Amount"), text: "100" });
  await session.do("browser_type", { ref: refOf(text, "Note"), text: "By noon" });
  const button = { ref: refOf(text, "Order now") };
  await crash();
  const told = await session.refuse("PAGE_CRASHED", "browser_click", button);
  assert.equal(told.details.effect, "none");
  assert.deepEqual(told.details.lost, ['textbox "Amount"', 'textbox "Note"']);
  assert.match(told.text, /textbox "Amount", textbox "Note"/);
  const refused = await session.refuse("UNKNOWN_REF", "browser_click", button);
  assert.match(refused.text, /button "Order now"[\s\S]*textbox "Amount", textbox "Note"/);
  for (const { steps } of [told, refused]) assert.ok(!JSON.stringify(steps).includes("$candidate"));
  const shown = await session.read();
  assert.equal(site.count(sent), 0);
  await session.do("browser_click", { ref: refOf(shown, "Order now") });
});

test("a page that crashes without typed text is reported once, and then works", async () => {
  await using session = worker.session();
  const { crash } = await openToCrash(session, "<h1>Read only</h1>");
  await crash();
  const told = await session.refuse("PAGE_CRASHED", "browser_snapshot");
  assert.equal(told.details.lost, undefined);
  assert.equal(told.steps[0]?.tool, "browser_snapshot");
  assert.match((await session.do("browser_snapshot", {})).text, /Read only/);
});

test("text that a page took from its fields before its crash does not count as lost", async () => {
  await using session = worker.session();
  const { text, crash } = await openToCrash(
    session,
    `<form onsubmit="event.preventDefault(); this.reset()"><input aria-label=Search><button>Go</button></form>
    <div id=box><input aria-label=Passing><button onclick="box.remove()">Away</button></div>`,
  );
  await session.do("browser_type", { ref: refOf(text, "Search"), text: "shoes" });
  await session.do("browser_type", { ref: refOf(text, "Passing"), text: "by" });
  await session.do("browser_click", { ref: refOf(text, "Go") });
  await session.do("browser_click", { ref: refOf(text, "Away") });
  await crash();
  assert.equal((await session.refuse("PAGE_CRASHED", "browser_snapshot")).details.lost, undefined);
});

test("the death of a frame's process is reported, and the outer page goes on", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(site.page("<title>Inner</title><button>Inside</button>"));
  const before = await renderers(worker);
  const page = site.page(`<h1>Around</h1><button>Outside</button><div id=box></div>
    <button onclick="box.innerHTML='<iframe title=F src=${inner}></iframe>'">Add</button>`);
  const text = await session.open(page);
  const around = await renderers(worker);
  const added = await session.do("browser_click", { ref: refOf(text, "Add") });
  const inside = refOf(added.text, "Inside");
  for (const renderer of await renderers(worker))
    if (!before.includes(renderer) && !around.includes(renderer)) killIfThere(renderer);
  // The crash may be known only after the next call. That call then ends by its deadline.
  await session.call("browser_click", { ref: inside }, { deadlineMs: 2_000 });
  await session.refuse("FRAME_DETACHED", "browser_click", { ref: inside });
  const read = await session.read();
  assert.match(read, /Frame f1: /);
  assert.match(read, /Around[\s\S]*Outside/);
  const { incidents } = await worker.failures();
  assert.match(incidents.at(-1)?.error ?? "", /^The frame f1 .* crashed\.$/);
});

test("a page that hangs ends its call by the deadline, blocks no other session, and is freed", async () => {
  await using session = worker.session();
  await using other = worker.session();
  const page = await session.open(site.page(`<button onclick="for (;;);">Hang</button>`));
  const ref = refOf(page, "Hang");
  const hung = session.refuse("PAGE_UNRESPONSIVE", "browser_click", { ref }, { deadlineMs: 4_000 });
  assert.match(await other.open(one), /Page one/);
  await hung;
  assert.match(await session.read(), /button "Hang"/);
  const { incidents } = await worker.failures();
  assert.ok(incidents.some(({ kind }) => kind === "page-unresponsive"));
});

test("a page whose process cannot run, be stopped or be crashed comes back in another process", async () => {
  await using session = worker.session();
  const counting = site.page(`<h1></h1><script>
    sessionStorage.times = 1 + Number(sessionStorage.times ?? 0);
    document.querySelector("h1").textContent = "Opened " + sessionStorage.times;</script>`);
  const own = await renderersOf(worker, async () => assert.match(await session.open(counting), /Opened 1/));
  using _ = stopped(own);
  await session.refuse("PAGE_UNRESPONSIVE", "browser_snapshot", { full: true }, { deadlineMs: 3_000 });
  const { text, page } = await session.do("browser_snapshot", { full: true });
  assert.match(text, /Opened 2/);
  assert.equal(page?.tab, "t1");
  const { incidents } = await worker.failures();
  assert.ok(incidents.some(({ error }) => error.includes("opened again in another process")));
});

test("a page whose process stops during a navigation to its own site comes back too", async () => {
  await using session = worker.session();
  using _ = stopped(await renderersOf(worker, () => session.open(site.page("<h1>Stopped</h1>"))));
  await session.call("browser_navigate", { url: site.page("<h1>Next</h1>") }, { deadlineMs: 3_000 });
  const { text } = await session.do("browser_snapshot", { full: true });
  assert.match(text, /Stopped|Next/);
});

test("a tab whose process does not run stays closed if it is closed before it came back", async () => {
  await using session = worker.session();
  using _ = stopped(await renderersOf(worker, () => session.open(site.page("<h1>Stopped</h1>"))));
  await session.refuse("PAGE_UNRESPONSIVE", "browser_snapshot", { full: true }, { deadlineMs: 3_000 });
  assert.match((await session.do("browser_tabs", { action: "close" })).text, /^Closed tab t1/);
  assert.match((await session.do("browser_tabs", { action: "list" })).text, /No tabs are open/);
});

test("a page that hangs again and again can be left behind", async () => {
  await using session = worker.session();
  const again = "setInterval(() => { for (;;); }); for (;;);";
  const page = await session.open(site.page(`<button onclick="${again}">Hang</button>`));
  const ref = refOf(page, "Hang");
  await session.refuse("PAGE_UNRESPONSIVE", "browser_click", { ref }, { deadlineMs: 3_000 });
  assert.match((await session.do("browser_tabs", { action: "close" })).text, /^Closed tab t1/);
  assert.match((await session.do("browser_tabs", { action: "new", url: one })).text, /Page one/);
});

test("a page that hangs after a click is freed before the next call", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button onclick="setTimeout(() => { for (;;); })">Hang</button>`),
  );
  const click = { ref: refOf(page, "Hang") };
  const { text } = await session.do("browser_click", click, { deadlineMs: 8_000 });
  assert.match(text, /^Clicked .*\nThe page does not answer since then/);
  const { text: shown } = await session.do("browser_snapshot", { full: true }, { deadlineMs: 8_000 });
  assert.match(shown, /button "Hang"/);
});

test("a page that hangs while it loads ends the navigation by its deadline, and is freed", async () => {
  await using session = worker.session();
  const url = site.page("<h1>Loading</h1><script>for (;;);</script><h1>Loaded</h1>");
  await session.refuse("PAGE_UNRESPONSIVE", "browser_navigate", { url }, { deadlineMs: 4_000 });
  assert.match(await session.read(), /Loaded/);
});

test("a worker whose browser dies says so to every call, and ends", async () => {
  const dying = await startWorker();
  const session = dying.session();
  await session.open(one);
  const ended = new AbortController();
  const gone = reasonOf(dying.events(ended.signal));
  const waiting = session.call("browser_wait_for", { text: "never" });
  await session.call("browser_console_messages");
  process.kill(dying.started.browserPid, "SIGKILL");
  const { error } = await waiting;
  assert.equal(error?.type, "BROWSER_CRASHED");
  assert.match(await gone, /the browser's process ended/);
  assert.equal(await dying.exited(), 70);
  assert.deepEqual(dying.unexpected, []);
  await assert.rejects(dying[Symbol.asyncDispose](), /died before/);
});

test("a browser that hangs is not taken for a hanging page, and is killed", async () => {
  const dying = await startWorker();
  const session = dying.session();
  await session.open(one);
  const ended = new AbortController();
  const gone = reasonOf(dying.events(ended.signal));
  process.kill(dying.started.browserPid, "SIGSTOP");
  const { error } = await session.call("browser_snapshot", { full: true });
  assert.deepEqual(
    [error?.type, error?.details.reason],
    ["BROWSER_CRASHED", "the browser did not answer for 8 s"],
  );
  assert.match(await gone, /did not answer/);
  assert.equal(await dying.exited(), 70);
  await allGone([dying.started.browserPid]);
  await assert.rejects(dying[Symbol.asyncDispose](), /died before/);
});

test("a worker ends with its daemon, and its browser with it", async () => {
  const orphan = await startWorker();
  const watching = new AbortController();
  const events = orphan.events(watching.signal);
  for await (const event of events) {
    assert.ok(event.heartbeat);
    break;
  }
  watching.abort();
  await orphan.exited();
  await allGone([orphan.started.browserPid]);
  await assert.rejects(readFile(orphan.started.profileDir), { code: "ENOENT" });
  await assert.rejects(orphan[Symbol.asyncDispose](), /died before/);
});

async function reasonOf(events: ReturnType<Worker["events"]>): Promise<string> {
  for await (const { browserGone } of events) if (browserGone) return browserGone.reason;
  return "nothing was told";
}
