// Tests tabs that are closed because their role holds too much memory. The session hears of it once, and finds the tab
// under its id.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();
/** Holds much more memory than the others. */
const large = (html: string) => `<script>held = new Array(3e6).fill(1.5)</script>${html}`;

test("a tab closed for its memory is reported once, with the call that opens its page again", async () => {
  await using session = worker.session();
  const url = site.page(large("<h1>Large</h1>"));
  await session.open(url);
  assert.equal(await worker.closeLargestTab(), url);
  const told = await session.refuse("TAB_CLOSED", "browser_snapshot");
  assert.deepEqual([told.details.tab, told.details.url, told.details.effect], ["t1", url, "none"]);
  assert.equal(told.recoverable, true);
  const [open, again] = told.steps;
  assert.deepEqual([open?.tool, open?.arguments], ["browser_navigate", { url }]);
  assert.equal(again?.tool, "browser_snapshot");
  const { text, page } = await session.do("browser_navigate", { url });
  assert.match(text, /Large/);
  assert.equal(page?.tab, "t1");
  assert.equal(site.count(url), 2);
});

test("a session that repeats the call after the report finds the page open again", async () => {
  await using session = worker.session();
  const url = site.page(large("<h1>Large</h1><button>Go</button>"));
  const ref = refOf(await session.open(url), "Go");
  await worker.closeLargestTab();
  const told = await session.refuse("TAB_CLOSED", "browser_click", { ref });
  assert.equal(told.steps.at(-1)?.tool, undefined);
  const refused = await session.refuse("UNKNOWN_REF", "browser_click", { ref });
  assert.deepEqual(
    refused.candidates.map(({ role, name }) => [role, name]),
    [["button", "Go"]],
  );
  assert.match(await session.read(), /Large/);
});

test("only the call in flight reports the loss", async () => {
  await using session = worker.session();
  await session.open(site.page(large("<h1>Large</h1>")));
  const waiting = session.call("browser_wait_for", { text: "never" });
  await session.call("browser_console_messages");
  await worker.closeLargestTab();
  const { error, text } = await waiting;
  assert.equal(error?.type, "TAB_CLOSED", text);
  assert.equal(error?.steps[0]?.tool, "browser_navigate");
  assert.match((await session.do("browser_snapshot")).text, /Large/);
});

test("the tab that costs least is closed, others report nothing, and the list shows which one it is", async () => {
  await using session = worker.session();
  const [first, second] = ["First", "Second"].map((name) => site.page(large(`<h1>${name}</h1>`)));
  await session.open(first ?? "");
  await session.do("browser_tabs", { action: "new", url: second ?? "" });
  assert.equal(await worker.closeLargestTab(), first);
  assert.match((await session.do("browser_snapshot", { full: true })).text, /Second/);
  const { text } = await session.do("browser_tabs", { action: "list" });
  assert.match(text, /^t1 .* \(closed to free memory/m);
  assert.match(text, /^t2 \(current\) [^(]*$/m);
  await session.refuse("TAB_CLOSED", "browser_snapshot", { tab: "t1" });
  const { text: read } = await session.do("browser_snapshot", { tab: "t1", full: true });
  assert.match(read, /First/);
  assert.match((await session.do("browser_snapshot", { full: true })).text, /Second/);
});

test("text typed into it is named, and a tab with typed text is closed last", async () => {
  await using session = worker.session();
  const form = site.page(large("<input aria-label=Note><button>Send</button>"));
  const plain = site.page(large("<h1>Plain</h1>"));
  const ref = refOf(await session.open(form), "Note");
  await session.do("browser_type", { ref, text: "By noon" });
  await session.do("browser_tabs", { action: "new", url: plain });
  assert.equal(await worker.closeLargestTab(), plain);
  assert.equal(await worker.closeLargestTab(true), "");
  assert.equal(await worker.closeLargestTab(), form);
  const told = await session.refuse("TAB_CLOSED", "browser_click", { tab: "t1", ref });
  assert.deepEqual(told.details.lost, ['textbox "Note"']);
  assert.deepEqual(told.steps[0]?.arguments, { tab: "t1", url: form });
});

test("a tab closed for its memory can be closed for good, and its session storage outlives the first", async () => {
  await using session = worker.session();
  const url = site.page(
    large(`<h1></h1><script>sessionStorage.times = 1 + Number(sessionStorage.times ?? 0);
    document.querySelector("h1").textContent = "Opened " + sessionStorage.times</script>`),
  );
  await session.open(url);
  await worker.closeLargestTab();
  await session.refuse("TAB_CLOSED", "browser_snapshot");
  assert.match((await session.do("browser_snapshot", { full: true })).text, /Opened 2/);
  await worker.closeLargestTab();
  assert.match((await session.do("browser_tabs", { action: "close" })).text, /^Closed tab t1/);
  assert.match((await session.do("browser_tabs", { action: "list" })).text, /No tabs are open/);
});
