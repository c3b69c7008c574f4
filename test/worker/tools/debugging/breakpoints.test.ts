// Tests where breakpoints are set, that they outlast pages, and what else pauses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../../harness/worker.ts";
import { ADDING, debugged, pausedAt } from "./paused-page.ts";

const { worker, site } = await stage({ debugger: true });
const SET = { action: "set" } as const;

test("a breakpoint is moved to the next line with code, and an unresolved one says so", async () => {
  await using session = worker.session();
  const html = "<script>\nfunction f() {\n  // nothing\n\n  return 1;\n}\n</script><h1>Page</h1>";
  const { url } = await debugged(session, site, html);
  const moved = await session.do("debugger_breakpoint", { ...SET, url, line: 3 });
  assert.match(moved.text, /\nLine 3 has no code, so it was moved to line 5\. It is at \S+:5:3\.$/);
  const beyond = await session.do("debugger_breakpoint", { ...SET, url, line: 500 });
  assert.match(beyond.text, /\nNo code was found at line 500 or after it\./);
  const unknown = await session.do("debugger_breakpoint", { ...SET, url: "none.js", line: 1 });
  assert.match(unknown.text, /\nNo script of this address has been loaded yet\. It waits for one\.$/);
  const { text } = await session.do("debugger_breakpoint", { action: "list" });
  assert.match(text, /^b1 \S+:3\. Line 3 has no code.*\nb2 \S+:500\. No code.*\nb3 none\.js:1\. No script/);
});

test("a breakpoint outlasts reloads and other pages, and is set in scripts that are loaded later", async () => {
  await using session = worker.session();
  const script = site.route((_request, response) =>
    response.writeHead(200, { "content-type": "text/javascript" }).end("function late() {\n  return 7;\n}\n"),
  );
  const name = new URL(script).pathname.slice(1);
  const { url } = await debugged(session, site, `<h1>First</h1>`);
  await session.do("debugger_breakpoint", { ...SET, url: name, line: 2 });
  const html = `<script src="${script}?v=1"></script><button onclick="late()">Late</button>`;
  for (const address of [site.page(html), url, site.page(html)]) {
    const page = await session.open(address);
    if (address === url) continue;
    const { text } = await session.do("browser_click", { ref: refOf(page, "Late") });
    assert.match(text, /Paused at \d+:2 in late \(breakpoint b1\)/);
    await session.do("browser_reload");
    assert.match((await session.do("browser_click", { ref: "e1" })).text, /Paused at/);
  }
  await session.do("debugger_execution", { action: "resume" });
  await session.do("debugger_breakpoint", { action: "remove", id: "b1" });
  assert.doesNotMatch((await session.do("browser_click", { ref: "e1" })).text, /Paused/);
});

test("a condition pauses only if it is true, and a logpoint logs instead", async () => {
  await using session = worker.session();
  const html = `${ADDING}<button onclick="add(5)">More</button>`;
  const { url, page } = await debugged(session, site, html);
  await session.do("debugger_breakpoint", { ...SET, url, line: 4, condition: "n > 4 // large" });
  await session.do("debugger_breakpoint", { ...SET, url, line: 5, logMessage: "total {total} of {n}" });
  assert.doesNotMatch((await session.do("browser_click", { ref: refOf(page, "Add") })).text, /Paused/);
  assert.match((await session.do("browser_console_messages")).text, /"total 3 of 2"/);
  assert.match((await session.do("browser_click", { ref: refOf(page, "More") })).text, /Paused at .*b1/);
  const wrong = await session.refuse("SCRIPT_FAILED", "debugger_breakpoint", {
    ...SET,
    url,
    line: 4,
    condition: "n >",
  });
  assert.match(wrong.message, /SyntaxError/);
});

test("the same place again replaces the breakpoint, and a wrong id names the others", async () => {
  await using session = worker.session();
  const { url } = await debugged(session, site, ADDING);
  await session.do("debugger_breakpoint", { ...SET, url, line: 4, condition: "false" });
  const { text } = await session.do("debugger_breakpoint", { ...SET, url, line: 4 });
  assert.match(text, /^Set breakpoint b1 /);
  const refused = await session.refuse("BREAKPOINT_NOT_FOUND", "debugger_breakpoint", {
    action: "remove",
    id: "b7",
  });
  assert.deepEqual(refused.details, { id: "b7", ids: ["b1"] });
  for (const args of [SET, { ...SET, url }])
    await session.refuse("INVALID_ARGUMENT", "debugger_breakpoint", args);
});

test("exceptions pause as chosen, and never in the worker's own scripts", async () => {
  await using session = worker.session();
  const { page } = await debugged(
    session,
    site,
    `<button onclick="try { null.x } catch {} out.textContent='caught'">Caught</button>
     <button onclick="null.y">Uncaught</button><output id=out></output><div id=many></div>
     <script>for (let i = 0; i < 50; i++) many.innerHTML += '<input aria-label="Field" value=' + i + '>'</script>`,
  );
  await session.do("debugger_pause_on_exceptions", { state: "uncaught" });
  assert.doesNotMatch((await session.do("browser_click", { ref: refOf(page, "Caught") })).text, /Paused/);
  const uncaught = await session.do("browser_click", { ref: refOf(page, "Uncaught") });
  assert.match(uncaught.text, /Paused at .*\(uncaught exception: TypeError: Cannot read/);
  await session.do("debugger_execution", { action: "resume" });
  await session.do("debugger_pause_on_exceptions", { state: "all" });
  for (const [tool, args] of [
    ["browser_snapshot", { full: true }],
    ["browser_find", { text: "caught" }],
    ["resolve_container", { ref: "e1" }],
    ["browser_type", { ref: refOf(page, "Field"), text: "x" }],
  ] as const)
    assert.doesNotMatch((await session.do(tool, args)).text, /Paused/);
  await session.do("browser_reload");
  const caught = await session.do("browser_click", { ref: "e1" });
  assert.match(caught.text, /Paused at .*\(caught exception: TypeError/);
  await session.do("debugger_pause_on_exceptions", { state: "none" });
  assert.match((await session.do("debugger_execution", { action: "resume" })).text, /status: caught/);
});

test("a step does not lead into the worker's own listeners", async () => {
  await using session = worker.session();
  await pausedAt(session, site, 6);
  for (let steps = 0; steps < 6; steps++) {
    const { text, error } = await session.call("debugger_step", { direction: "into" });
    if (error) return assert.equal(error.type, "EXECUTION_NOT_PAUSED");
    assert.match(text, /Paused at \d+:\d+|run to its end/);
  }
});
