// Tests that dialogs never block. The action that opened one returns and says so, and its answer lets everything go on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();
const two = site.page("<title>Two</title><h1>Page two</h1>");

test("a click that opens a dialog returns with it, and the tab says DIALOG_OPEN until it is answered", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button onclick="out.textContent=confirm('Sure?')">Ask</button><output id=out></output>`),
  );
  const ref = refOf(page, "Ask");
  const { text } = await session.do("browser_click", { ref });
  assert.match(text, /Clicked e1 button "Ask"\nDialog open \(confirm\): "Sure\?"/);
  for (const [tool, args] of [
    ["browser_snapshot", {}],
    ["browser_click", { ref }],
    ["browser_navigate", { url: two }],
    ["browser_take_screenshot", {}],
  ] as const) {
    const refusal = await session.refuse("DIALOG_OPEN", tool, args, { deadlineMs: 5_000 });
    assert.deepEqual(refusal.details, { dialog: "confirm", text: "Sure?", tab: "t1" });
    assert.equal(refusal.steps[0]?.tool, "browser_handle_dialog");
  }
  const answered = await session.do("browser_handle_dialog", { accept: true });
  assert.match(answered.text, /Accepted the confirm "Sure\?"[\s\S]*status: true/);
  await session.do("browser_click", { ref });
  assert.match((await session.do("browser_handle_dialog", { accept: false })).text, /status: false/);
});

test("without a dialog, browser_handle_dialog is refused", async () => {
  await using session = worker.session();
  await session.refuse("NO_DIALOG", "browser_handle_dialog", { accept: true });
  await session.open(two);
  await session.refuse("NO_DIALOG", "browser_handle_dialog", { accept: true });
});

test("the answer to a prompt reaches the page", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button onclick="out.textContent=prompt('Name?','nobody')">Ask</button><output id=out></output>`,
    ),
  );
  await session.do("browser_click", { ref: refOf(page, "Ask") });
  const { text } = await session.do("browser_handle_dialog", { accept: true, promptText: "Ada" });
  assert.match(text, /status: Ada/);
});

test("several dialogs in a row are answered one by one", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button onclick="alert('one');alert('two');alert('three');out.textContent='all told'">Ask</button><output id=out></output>`,
    ),
  );
  await session.do("browser_click", { ref: refOf(page, "Ask") });
  assert.match(
    (await session.do("browser_handle_dialog", { accept: true })).text,
    /Dialog open \(alert\): "two"/,
  );
  assert.match(
    (await session.do("browser_handle_dialog", { accept: true })).text,
    /Dialog open \(alert\): "three"/,
  );
  assert.match((await session.do("browser_handle_dialog", { accept: true })).text, /all told/);
});

test("answering a dialog of a loading page finishes the navigation and shows the page", async () => {
  await using session = worker.session();
  const url = site.page("<title>Greeting</title><script>alert('Welcome')</script><h1>The page</h1>");
  const refusal = await session.refuse("DIALOG_OPEN", "browser_navigate", { url });
  assert.equal(refusal.steps.length, 1);
  const { text, page } = await session.do("browser_handle_dialog", { accept: true });
  assert.match(text, /heading "The page"/);
  assert.equal(page?.title, "Greeting");
});

test("the answer to a loading page's dialog finishes the load, whatever opened the page", async () => {
  await using session = worker.session();
  await session.open(two);
  const url = site.page("<script>confirm('Over 18?')</script><h1>The page</h1>");
  for (const [tool, args] of [
    ["browser_tabs", { action: "new", url }],
    ["browser_navigate", { url }],
  ] as const) {
    const { steps } = await session.refuse("DIALOG_OPEN", tool, args);
    assert.deepEqual(
      steps.map((step) => step.tool),
      ["browser_handle_dialog"],
    );
    const { text } = await session.do("browser_handle_dialog", steps[0]?.arguments ?? {});
    assert.match(text, /heading "The page"/);
  }
  const list = await session.do("browser_tabs", { action: "list" });
  assert.equal(list.text.match(/^t\d/gm)?.length, 2);
});

test("an earlier dialog is answered first, and then the page is opened", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<button onclick="alert('Mind this')">Ask</button>`));
  await session.do("browser_click", { ref: refOf(page, "Ask") });
  for (const [tool, args] of [
    ["browser_navigate", { url: two }],
    ["browser_navigate_back", {}],
  ] as const) {
    const { steps } = await session.refuse("DIALOG_OPEN", tool, args);
    assert.deepEqual(
      steps.map((step) => step.tool),
      ["browser_handle_dialog", tool],
    );
  }
});

test("a page with a leave prompt goes on if it is accepted, and stays if it is dismissed", async () => {
  await using session = worker.session();
  const asking = site.page(
    `<title>Draft</title><input aria-label=Text><a href="${two}">Leave</a><script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
  );
  const page = await session.open(asking);
  await session.do("browser_type", { ref: refOf(page, "Text"), text: "draft" });

  const refusal = await session.refuse("DIALOG_OPEN", "browser_navigate", { url: two });
  assert.equal(refusal.details.dialog, "beforeunload");
  const stayed = await session.do("browser_handle_dialog", { accept: false });
  assert.match(stayed.text, /Dismissed the beforeunload/);
  assert.equal(stayed.page?.url, asking);
  assert.match(await session.read(), /textbox "Text" .*: draft/);

  const clicked = await session.do("browser_click", { ref: refOf(page, "Leave") });
  assert.match(clicked.text, /Dialog open \(beforeunload\)/);
  const stayedAgain = await session.do("browser_handle_dialog", { accept: false }, { deadlineMs: 8_000 });
  assert.equal(stayedAgain.page?.url, asking);

  await session.refuse("DIALOG_OPEN", "browser_navigate", { url: two });
  const { text } = await session.do("browser_handle_dialog", { accept: true });
  assert.match(text, /heading "Page two"/);
});

test("a link with a leave prompt is followed when the dialog is accepted", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<a href="${two}">Leave</a><script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
    ),
  );
  await session.do("browser_click", { ref: refOf(page, "Leave") });
  const { text } = await session.do("browser_handle_dialog", { accept: true });
  assert.match(text, /heading "Page two"/);
});

test("going back from a page with a leave prompt is held up and released in the same way", async () => {
  await using session = worker.session();
  await session.open(two);
  const page = await session.open(
    site.page(
      `<button>Touch</button><script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
    ),
  );
  await session.do("browser_click", { ref: refOf(page, "Touch") });
  await session.refuse("DIALOG_OPEN", "browser_navigate_back");
  const stayed = await session.do("browser_handle_dialog", { accept: false });
  assert.match(await session.read(), /button "Touch"/, stayed.text);
  await session.refuse("DIALOG_OPEN", "browser_navigate_back");
  assert.match((await session.do("browser_handle_dialog", { accept: true })).text, /heading "Page two"/);
});

test("a tab with a leave prompt stays if it is dismissed, and closes if it is accepted", async () => {
  await using session = worker.session();
  await session.open(two);
  const url = site.page(
    `<button>Touch</button><script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
  );
  const { text } = await session.do("browser_tabs", { action: "new", url });
  await session.do("browser_click", { ref: refOf(text, "Touch") });
  const { steps } = await session.refuse("DIALOG_OPEN", "browser_tabs", { action: "close" });
  assert.deepEqual(
    steps.map((step) => step.tool),
    ["browser_handle_dialog"],
  );
  await session.do("browser_handle_dialog", { accept: false });
  assert.match(await session.read(), /button "Touch"/);
  await session.refuse("DIALOG_OPEN", "browser_tabs", { action: "close" });
  const closed = await session.do("browser_handle_dialog", { accept: true });
  assert.match(closed.text, /tab t2 was closed/);
  assert.match(closed.text, /heading "Page two"/);
});

test("a page with endless dialogs is closed with its dialog, and the session goes on", async () => {
  await using session = worker.session();
  await session.open(two);
  const url = site.page("<script>setTimeout(() => { for (let n = 0; ; n++) alert('asked ' + n); })</script>");
  await session.refuse("DIALOG_OPEN", "browser_tabs", { action: "new", url });
  await session.refuse("DIALOG_OPEN", "browser_navigate", { url: two });
  const { text } = await session.do("browser_tabs", { action: "close" });
  assert.match(text, /^Closed tab t2 with its alert "asked \d+"$/m);
  assert.match(await session.read(), /heading "Page two"/);
});

test("the plan for endless dialogs closes the tab and goes on", async () => {
  await using session = worker.session();
  const url = site.page("<script>setTimeout(() => { for (let n = 0; ; n++) alert('asked ' + n); })</script>");
  await session.refuse("DIALOG_OPEN", "browser_tabs", { action: "new", url });
  for (let answers = 0; answers < 4; answers++) await session.do("browser_handle_dialog", { accept: true });
  const { steps, details } = await session.refuse("DIALOG_OPEN", "browser_navigate", { url: two });
  assert.deepEqual(
    steps.map(({ tool, arguments: args }) => [tool, args]),
    [
      ["browser_tabs", { action: "close", tab: details.tab }],
      ["browser_navigate", { url: two }],
    ],
  );
  for (const { tool = "", arguments: args } of steps) await session.do(tool, args);
  assert.match(await session.read(), /heading "Page two"/);
});

test("a dialog that typing opens does not lose the text, and Enter is not pressed behind it", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<form onsubmit="out.textContent='submitted';return false"><input aria-label=Name oninput="if (!asked) { asked = true; alert('typed') }"></form><output id=out>open</output><script>let asked = false</script>`,
    ),
  );
  const { text } = await session.do("browser_type", {
    ref: refOf(page, "Name"),
    text: "Ada",
    submit: true,
  });
  assert.match(text, /Enter was not pressed/);
  assert.match(text, /Dialog open \(alert\): "typed"/);
  const answered = await session.do("browser_handle_dialog", { accept: true });
  assert.match(answered.text, /: Ada/);
  assert.match(await session.read(), /status: open/);
});

test("a dialog in a frame of another site belongs to the tab", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(
    site.page(`<button onclick="out.textContent=confirm('Inside?')">Ask</button><output id=out></output>`),
  );
  const page = await session.open(site.page(`<iframe title=F src="${inner}"></iframe>`));
  const { text } = await session.do("browser_click", { ref: refOf(page, "Ask") });
  assert.match(text, /Dialog open \(confirm\): "Inside\?"/);
  assert.match((await session.do("browser_handle_dialog", { accept: true })).text, /status: true/);
});

test("one session's dialog does not affect another session", async () => {
  await using first = worker.session();
  await using second = worker.session();
  const url = site.page(`<button onclick="alert('mine')">Ask</button>`);
  await first.do("browser_click", { ref: refOf(await first.open(url), "Ask") });
  assert.match(await second.open(url), /button "Ask"/);
  await second.refuse("NO_DIALOG", "browser_handle_dialog", { accept: true });
});
