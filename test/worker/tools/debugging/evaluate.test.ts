// Tests expressions on a paused page: their values, what they throw, and what never ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";
import { pausedAt } from "./paused-page.ts";

const { worker, site } = await stage({ debugger: true });

test("values are written within bounds, and no getter is called", async () => {
  await using session = worker.session();
  await pausedAt(session, site, 4);
  const write = async (expression: string, frame = 0) =>
    (await session.do("debugger_evaluate", { expression, frame }, { deadlineMs: 8_000 })).text;
  assert.equal(await write("total + n"), "3");
  assert.equal(await write("-0"), "-0");
  assert.equal(await write("'[ref=e1]'"), '"(ref=e1]"');
  assert.equal(await write("const o = {a: 1, get b() { throw 1 }}; o"), "{a: 1, b: (getter)}");
  assert.equal(
    await write("({a: [1, {b: null}], get c() { for (;;); }})"),
    "{a: [1, {b: null}], c: (getter)}",
  );
  assert.equal(await write("(() => { const o = {}; o.o = o; return o; })()"), "{o: (circular)}");
  assert.equal(await write("new Map([[1, new Set(['x'])]])"), 'Map {1 => Set {"x"}}');
  assert.equal(await write("document.querySelector('output')"), '<output id="out">');
  assert.match(await write("new Array(1e6).fill(7)"), /^\[(7, ){50}… 999950 more\]$/);
  assert.match(await write("new Proxy({}, {ownKeys() { throw 1 }})"), /^\(cannot be read\)$/);
  assert.ok((await write("'x'.repeat(1e8)")).length < 3_000);
  assert.ok(
    (await write("Object.fromEntries(Array.from({length: 1e5}, (_, i) => ['k' + i, i]))")).length < 3_000,
  );
  assert.equal(await write("typeof n", 1), '"undefined"');
  assert.equal(await write("total = 40"), "40");
  assert.match((await session.do("debugger_execution", { action: "resume" })).text, /status: 42/);
});

test("an exception is an error with the page's words and its place", async () => {
  await using session = worker.session();
  await pausedAt(session, site, 4);
  const fails = (expression: string) =>
    session.refuse("SCRIPT_FAILED", "debugger_evaluate", { expression }, { deadlineMs: 8_000 });
  const thrown = await fails("\n\n  nothing.here");
  assert.equal(thrown.details.error, "ReferenceError: nothing is not defined");
  assert.equal(thrown.details.line, 3);
  assert.ok(Number(thrown.details.column) >= 3 && Number(thrown.details.column) <= 11);
  assert.match(String((await fails("1 +")).details.error), /^SyntaxError/);
  assert.match(String((await fails("(() => { throw {code: 7} })()")).details.error), /\{code: 7\}/);
  assert.ok(JSON.stringify((await fails("(() => { throw 'x'.repeat(1e7) })()")).details).length < 3_000);
  const endless = await fails("(() => { for (;;); })()");
  assert.match(String(endless.details.error), /did not end within/);
  const trap = "new Proxy({a: 1}, {getOwnPropertyDescriptor() { for (;;); }})";
  assert.match(String((await fails(trap)).details.error), /did not end within/);
  assert.match((await session.do("debugger_step", { direction: "over" })).text, /Changed:\n {2}total = 3/);
});

test("a frame that is not there is refused with those that are", async () => {
  await using session = worker.session();
  await pausedAt(session, site, 4);
  const refused = await session.refuse("INVALID_ARGUMENT", "debugger_evaluate", {
    frame: 9,
    expression: "1",
  });
  assert.match(refused.message, /frames 0 to 1/);
});

test("a dialog that an expression opens can be answered", async () => {
  await using session = worker.session();
  await pausedAt(session, site, 4);
  await session.refuse(
    "DIALOG_OPEN",
    "debugger_evaluate",
    { expression: "alert('hi')" },
    { deadlineMs: 8_000 },
  );
  const answered = await session.do("browser_handle_dialog", { accept: true }, { deadlineMs: 8_000 });
  assert.match(answered.text, /Accepted the alert "hi"[\s\S]*Paused at/);
  await session.do("debugger_execution", { action: "resume" });
});
