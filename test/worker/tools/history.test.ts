// Tests going forward and loading anew, and the tools that only start the browser or wait.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();
const one = site.page("<title>One</title><h1>Page one</h1>");
const two = site.page("<title>Two</title><h1>Page two</h1>");

test("the tab goes forward to the page that it went back from", async () => {
  await using session = worker.session();
  await session.open(one);
  await session.open(two);
  await session.do("browser_navigate_back");
  const { text, finalUrl } = await session.do("browser_navigate_forward");
  assert.match(text, new RegExp(`^Went forward to ${two}\n`));
  assert.match(text, /heading "Page two"/);
  assert.equal(finalUrl, two);
  const refusal = await session.refuse("NO_HISTORY", "browser_navigate_forward");
  assert.match(refusal.message, /has nothing after /);
  assert.match(refusal.text, /This is the last page of the tab\./);
});

test("a page is loaded anew, and its earlier refs no longer work", async () => {
  await using session = worker.session();
  const url = site.page(`<h1>Loaded</h1><button onclick="this.textContent='Pressed'">Press</button>`);
  const ref = refOf(await session.open(url), "Press");
  await session.do("browser_click", { ref });
  const { text, finalUrl } = await session.do("browser_reload");
  assert.match(text, new RegExp(`^Reloaded ${url}\nStatus: 200\n`));
  assert.match(text, /button "Press" \[ref=e1\]/);
  assert.equal(finalUrl, url);
  assert.equal(site.count(url), 2);
});

test("a page that asks before it is left is reloaded once its dialog is accepted", async () => {
  await using session = worker.session();
  const url = site.page(`<input aria-label=Note><script>onbeforeunload = (e) => e.preventDefault()</script>`);
  const page = await session.open(url);
  await session.do("browser_type", { ref: refOf(page, "Note"), text: "x" });
  await session.refuse("DIALOG_OPEN", "browser_reload");
  const { text } = await session.do("browser_handle_dialog", { accept: true });
  assert.match(text, /textbox "Note" \[ref=e1\]$/m);
});

test("the browser starts without an address, and names its page", async () => {
  await using session = worker.session();
  const { text, page } = await session.do("browser_initialize");
  assert.match(text, /^The browser of role tester is ready\.\nPage .*about:blank/);
  assert.equal(page?.tab, "t1");
});

test("a wait takes its time, reports what changed meanwhile, and ends with a dialog", async () => {
  await using session = worker.session();
  const late = site.hold();
  await session.open(
    site.page(`<output id=out></output><script>
      fetch('${late.url}').then(() => setInterval(() => (out.textContent = 'late'), 10))</script>`),
  );
  late.release();
  const { text, timeMs } = await session.do("wait_for_browser", { milliseconds: 700 });
  assert.match(text, /^Waited \d+ ms\n[\s\S]*status: late/);
  assert.ok(Number(timeMs) >= 700);
  const refusal = await session.refuse("INVALID_ARGUMENT", "wait_for_browser", { milliseconds: 600_000 });
  assert.deepEqual(refusal.steps.at(-1)?.arguments, { milliseconds: 28_000 });
  await session.open(site.page("<script>setTimeout(() => alert('Stop'), 300)</script>"));
  await session.refuse("DIALOG_OPEN", "wait_for_browser", { milliseconds: 20_000 });
  await session.do("browser_handle_dialog", { accept: true });
});
