// Tests how a page pauses, is looked at, and goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../../harness/worker.ts";
import { ADDING, debugged, pausedAt } from "./paused-page.ts";

const { worker, site } = await stage({ debugger: true });
test("a click that meets a breakpoint returns at once, and the page goes on when it is resumed", async () => {
  await using session = worker.session();
  const { url, page } = await debugged(session, site, ADDING);
  const set = await session.do("debugger_breakpoint", { action: "set", url, line: 4 });
  assert.match(set.text, /^Set breakpoint b1 at http.*:4\nIt is at http.*:4:3\.$/);
  const clicked = await session.do("browser_click", { ref: refOf(page, "Add") }, { deadlineMs: 5_000 });
  assert.match(clicked.text, /^Clicked e1 button "Add"\nPaused at \d+:4 in add \(breakpoint b1\)\. /);
  const refused = await session.refuse("EXECUTION_PAUSED", "browser_snapshot", {}, { deadlineMs: 5_000 });
  assert.deepEqual(refused.details, { url, line: 4, words: refused.details.words, tab: "t1" });
  const resumed = await session.do("debugger_execution", { action: "resume" });
  assert.match(resumed.text, /^Resumed from \d+:4 in add \(breakpoint b1\)\n[\s\S]*status: 3/);
  assert.match(await session.read(), /status: 3/);
});

test("the call stack shows the source, the frames and the variables", async () => {
  await using session = worker.session();
  await pausedAt(session, site, 4);
  const { text, frames } = await session.do("debugger_call_stack");
  assert.match(text, /\n {2}3: {3}let total = 1;\n> 4: {3}total = total \+ n;\n {2}5: /);
  assert.match(text, /\n {2}0 add http\S+:4:3\n {2}1 onclick http\S+:1:\d+\n/);
  assert.match(text, /\nVariables of frame 0:\n {2}n = 2\n {2}total = 1$/);
  assert.deepEqual(
    (frames as { function: string }[]).map((frame) => frame.function),
    ["add", "onclick"],
  );
});

test("a step shows where it led and which variables changed, also the first one", async () => {
  await using session = worker.session();
  await pausedAt(session, site, 4);
  const over = await session.do("debugger_step", { direction: "over" });
  assert.match(
    over.text,
    /^Stepped over\n> 5: {3}out.*\nChanged:\n {2}total = 3 \(changed, was 1\)\nPaused at /,
  );
  const out = await session.do("debugger_step", { direction: "out" });
  assert.match(out.text, /^Stepped out\n> 1: .*\nPaused at \d+:1 in onclick \(step\)/);
  const end = await session.do("debugger_step", { direction: "over" });
  assert.match(end.text, /^Stepped over\. The code has run to its end[\s\S]*status: 3/);
  await session.refuse("EXECUTION_NOT_PAUSED", "debugger_step", { direction: "over" });
});

test("tools that need no running page go on, and so do other tabs and sessions", async () => {
  await using session = worker.session();
  await using other = worker.session();
  await pausedAt(session, site, 4, `${ADDING}<script>console.log("said")</script>`);
  assert.match(
    (await session.do("browser_tabs", { action: "list" })).text,
    /t1 \(current\) "Cart" \S+ \(paused by the debugger\)/,
  );
  assert.match((await session.do("browser_console_messages")).text, /"said"/);
  const opened = await session.do("browser_tabs", { action: "new", url: site.page("<h1>Other</h1>") });
  assert.match(opened.text, /heading "Other"/);
  await session.do("debugger_call_stack", { tab: "t1" });
  assert.match(await other.open(site.page("<h1>Mine</h1>")), /heading "Mine"/);
  assert.match((await session.do("browser_tabs", { action: "close", tab: "t1" })).text, /Closed tab t1/);
});

test("without debugger_enable, neither breakpoints nor debugger statements pause", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button onclick="debugger;out.textContent='ran'">Go</button><output id=out></output>`),
  );
  assert.match((await session.do("browser_click", { ref: refOf(page, "Go") })).text, /status: ran/);
  await session.refuse("DEBUGGER_NOT_ENABLED", "debugger_step", { direction: "over" });
  await session.do("debugger_enable");
  const clicked = await session.do("browser_click", { ref: refOf(page, "Go") });
  assert.match(clicked.text, /Paused at \d+:1 in onclick \(debugger statement\)/);
});

test("several steps in one call stop at a breakpoint", async () => {
  await using session = worker.session();
  const { url, page } = await debugged(session, site, ADDING);
  await session.do("debugger_breakpoint", { action: "set", url, line: 4 });
  const click = { click: { ref: refOf(page, "Add") } };
  const { text, end } = await session.do("browser_steps", { steps: [click, click] });
  assert.match(text, /Steps done: 1 of 2[\s\S]*Stopped: a breakpoint was met\. Not done: 2\./);
  assert.equal(end, "STEPS_END_PAUSED");
});

test("a pause that is asked for comes at once in a loop, and else with the next script", async () => {
  await using session = worker.session();
  const { page } = await debugged(
    session,
    site,
    `<button onclick="out.textContent='ran'">Go</button><output id=out></output>
     <button onclick="setTimeout(() => { for (;;) if (globalThis.done) break; })">Loop</button>`,
  );
  const idle = await session.do("debugger_execution", { action: "pause" });
  assert.match(idle.text, /^No script of the page runs now\./);
  const clicked = await session.do("browser_click", { ref: refOf(page, "Go") });
  assert.match(clicked.text, /Paused at \d+:1 in onclick \(pause asked for\)/);
  const refused = await session.refuse("EXECUTION_ALREADY_PAUSED", "debugger_execution", { action: "pause" });
  assert.match(refused.message, /in onclick/);
  assert.match((await session.do("debugger_execution", { action: "resume" })).text, /status: ran/);
  const looping = session.call("browser_click", { ref: refOf(page, "Loop") });
  const stopped = await session.do("debugger_execution", { action: "pause" });
  assert.match((await looping).text, /Clicked e\d button "Loop"/);
  const { text } = stopped.text.startsWith("Paused") ? stopped : await session.do("debugger_call_stack");
  assert.match(text, /pause asked for/);
  await session.do("debugger_evaluate", { expression: "globalThis.done = true" });
  await session.do("debugger_execution", { action: "resume" });
});

test("another page takes a paused one's place, and the new one runs and pauses", async () => {
  await using session = worker.session();
  const url = await pausedAt(session, site, 4);
  assert.match(await session.open(site.page("<h1>Next</h1>")), /heading "Next"/);
  await session.refuse("EXECUTION_NOT_PAUSED", "debugger_call_stack");
  const back = await session.open(url);
  const again = await session.do("browser_click", { ref: refOf(back, "Add") });
  assert.match(again.text, /Paused at .*breakpoint b1/);
  assert.match((await session.do("browser_reload")).text, /button "Add"/);
});

test("a page that pauses while it loads is a result, and its resumption shows the page", async () => {
  await using session = worker.session();
  const { url } = await debugged(
    session,
    site,
    "<script>\nlet begun = 1;\nbegun++;\n</script><h1>Loaded</h1>",
  );
  await session.do("debugger_breakpoint", { action: "set", url, line: 3 });
  const opened = await session.do("browser_navigate", { url }, { deadlineMs: 8_000 });
  assert.match(opened.text, /^Opened http[\s\S]*\nPaused at \d+:3 \(breakpoint b1\)/);
  const resumed = await session.do("debugger_execution", { action: "resume" });
  assert.match(resumed.text, /^Resumed from [\s\S]*heading "Loaded"/);
});

test("a handler that pauses while a field is being edited fails the call, whose plan does it again", async () => {
  await using session = worker.session();
  const { page } = await debugged(
    session,
    site,
    "<input aria-label=Name onfocus='if (!window.was) { was = 1; debugger; }'>",
  );
  const ref = refOf(page, "Name");
  const outcome = await session.call("browser_type", { ref, text: "Ada" }, { deadlineMs: 8_000 });
  assert.match(outcome.text, /Paused at|Execution Paused/);
  await session.do("debugger_execution", { action: "resume" });
  await session.do("browser_type", { ref, text: "Ada" });
  assert.match(await session.read(), /textbox "Name".*: Ada/);
});

test("a popup that shares its process with a paused page is paused too, and its plan resumes that page", async () => {
  await using session = worker.session();
  const popup = site.page("<title>Popup</title><h1>Popup</h1>");
  const html = `${ADDING}<button onclick="window.open('${popup}')">Open</button>`;
  const { url, page } = await debugged(session, site, html);
  await session.do("browser_click", { ref: refOf(page, "Open") });
  await session.do("debugger_breakpoint", { action: "set", url, line: 4 });
  await session.do("browser_click", { ref: refOf(page, "Add"), tab: "t1" });
  const refused = await session.refuse("EXECUTION_PAUSED", "browser_snapshot", { tab: "t2" });
  assert.equal(refused.details.tab, "t1");
  await session.do("debugger_execution", { action: "resume", tab: "t1" });
  await session.do("browser_snapshot", { tab: "t2" });
});

test("a session that is paused ends, and the next one is not paused", async () => {
  {
    await using session = worker.session();
    await pausedAt(session, site, 4);
  }
  await using next = worker.session();
  assert.match(await next.open(site.page(ADDING)), /button "Add"/);
});

test("a frame of another site pauses its tab", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(site.page(ADDING));
  const { page } = await debugged(session, site, `<h1>Outer</h1><iframe src="${inner}"></iframe>`);
  await session.do("debugger_breakpoint", { action: "set", url: inner, line: 4 });
  const shown = /Add/.test(page) ? page : await session.read();
  const clicked = await session.do("browser_click", { ref: refOf(shown, "Add") }, { deadlineMs: 8_000 });
  assert.match(clicked.text, /Paused at \d+:4 in add \(breakpoint b1\)/);
  assert.match((await session.do("debugger_execution", { action: "resume" })).text, /status: 3/);
});

test("a page and its frame of another site pause each for itself, and are resumed one after the other", async () => {
  await using session = worker.session();
  const pausing = (name: string) => `addEventListener("message", ({ data }) => {
      debugger;
      document.querySelector("output").value = "${name} " + data;
    });`;
  const inner = site.elsewhere(site.page(`<output></output><script>${pausing("inner")}</script>`));
  const { page } = await debugged(
    session,
    site,
    `<output></output><iframe src="${inner}"></iframe>
      <button onclick="postMessage(1, '*'); frames[0].postMessage(2, '*')">Both</button><script>${pausing("outer")}</script>`,
  );
  const clicked = await session.do("browser_click", { ref: refOf(page, "Both") }, { deadlineMs: 8_000 });
  assert.match(clicked.text, /Paused at .*\(debugger statement\)/);
  const first = await session.do("debugger_execution", { action: "resume" }, { deadlineMs: 8_000 });
  assert.match(first.text, /Resumed from [\s\S]*Paused at .*\(debugger statement\)/);
  const last = await session.do("debugger_execution", { action: "resume" }, { deadlineMs: 8_000 });
  assert.doesNotMatch(last.text, /Paused at/);
  const text = await session.read();
  assert.match(text, /outer 1/);
  assert.match(text, /inner 2/);
});

test("another page takes the place of one that is paused in two processes", async () => {
  await using session = worker.session();
  const pausing = `<script>addEventListener("message", () => { debugger; });</script>`;
  const { page } = await debugged(
    session,
    site,
    `<iframe src="${site.elsewhere(site.page(pausing))}"></iframe>
      <button onclick="postMessage(1, '*'); frames[0].postMessage(2, '*')">Both</button>${pausing}`,
  );
  await session.do("browser_click", { ref: refOf(page, "Both") }, { deadlineMs: 8_000 });
  const url = site.page("<h1>Other</h1>");
  assert.match((await session.do("browser_navigate", { url }, { deadlineMs: 8_000 })).text, /Other/);
});

test("another page takes the place of one that would pause again and again", async () => {
  await using session = worker.session();
  const { page } = await debugged(
    session,
    site,
    `<button onclick="for (let n = 0; n < 9; n++) postMessage(n, '*')">All</button>
      <script>addEventListener("message", () => { debugger; });</script>`,
  );
  await session.do("browser_click", { ref: refOf(page, "All") }, { deadlineMs: 8_000 });
  const url = site.page("<h1>Other</h1><button onclick='debugger'>Pause</button>");
  const other = await session.do("browser_navigate", { url }, { deadlineMs: 8_000 });
  assert.match(other.text, /Other/);
  const paused = await session.do(
    "browser_click",
    { ref: refOf(other.text, "Pause") },
    { deadlineMs: 8_000 },
  );
  assert.match(paused.text, /Paused at .*\(debugger statement\)/);
});

test("a role that does not allow the debugger refuses it and names the setting", async () => {
  const { worker: plain } = await stage();
  await using session = plain.session();
  const refused = await session.refuse("PERMISSION_DENIED", "debugger_enable");
  assert.match(refused.message, /roles\.tester\.debugger: true/);
});

test("the call stack goes on to the callers of asynchronous work", async () => {
  await using session = worker.session();
  const html = `<button onclick="begin()">Go</button><script>
async function begin() {
  await new Promise((resolve) => setTimeout(resolve));
  later();
}
function later() {
  return 1;
}
</script>`;
  const { url, page } = await debugged(session, site, html);
  await session.do("debugger_breakpoint", { action: "set", url, line: 7 });
  await session.do("browser_click", { ref: refOf(page, "Go") });
  const { text } = await session.do("debugger_call_stack");
  assert.match(text, /\n {2}0 later \S+:7:3\n {2}1 begin \S+:4:3\n/);
  assert.match(text, /\n {2}async await:\n {4}onclick /);
});

test("a watch says that its page is paused, and goes on with it", async () => {
  await using session = worker.session();
  const { url, page } = await debugged(session, site, ADDING);
  await session.do("debugger_breakpoint", { action: "set", url, line: 4 });
  const ended = new AbortController();
  const updates = session.watch({ tab: "t1" }, { signal: ended.signal });
  const texts = (async function* () {
    for await (const { text } of updates) yield text;
  })();
  assert.match((await texts.next()).value ?? "", /button "Add"/);
  await session.do("browser_click", { ref: refOf(page, "Add") });
  const next = async (words: RegExp) => {
    for (;;) {
      const { value, done } = await texts.next();
      assert.ok(!done);
      if (words.test(value)) return;
    }
  };
  await next(/^Paused at \d+:4 in add/);
  await session.do("debugger_execution", { action: "resume" });
  await next(/status: 3/);
  updates.on("error", () => undefined);
  ended.abort();
});
