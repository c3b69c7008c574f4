// Tests browser_evaluate: scripts of the client in the page's own world, and what a hostile page makes of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage, startWorker } from "../../../harness/worker.ts";

const { worker, site } = await stage({ evaluate: true });

/** Runs each script in a page, and returns the results. */
async function results(html: string, scripts: readonly string[]): Promise<unknown[]> {
  await using session = worker.session();
  await session.open(site.page(html));
  const found: unknown[] = [];
  for (const script of scripts) {
    const { result, text } = await session.do("browser_evaluate", { function: script });
    assert.match(text, /^Ran the script\. Its result, in the page's words/);
    found.push(JSON.parse(String(result)));
  }
  return found;
}

test("an expression, a function and statements are run, and what they return is JSON", async () => {
  const scripts = [
    "document.title",
    "() => ({ a: [1, 'two', null] })",
    "async () => 3",
    "const x = 2; return x * 21;",
    "Promise.resolve('late');",
  ];
  assert.deepEqual(await results("<title>Shop</title>", scripts), [
    "Shop",
    { a: [1, "two", null] },
    3,
    42,
    "late",
  ]);
});

test("what JSON lacks is written as text, and cycles, getters and depth have an end", async () => {
  const scripts = [
    "[12n, new Date(0), /x/g, () => 1, Symbol('s'), NaN, undefined, document.querySelector('button')]",
    "new Map([['a', new Set([1])]])",
    "(() => { const a = { name: 'a' }; a.self = a; return a })()",
    "({ get bad() { throw new Error('no') }, ok: 1 })",
    "(() => { let at = {}; const top = at; for (let i = 0; i < 50; i++) at = at.in = {}; return top })()",
    "undefined",
    "Promise.all([new Promise(() => {})].map(() => 1))",
  ];
  const [kinds, map, cycle, getter, deep, nothing, one] = await results(
    "<button id=go type=button>Go</button>",
    scripts,
  );
  assert.deepEqual(kinds, [
    "12n",
    "1970-01-01T00:00:00.000Z",
    "/x/g",
    "[function ]",
    "Symbol(s)",
    "NaN",
    null,
    '<button id="go" type="button">',
  ]);
  assert.deepEqual(map, [["a", [1]]]);
  assert.deepEqual(cycle, { name: "a", self: "[circular]" });
  assert.deepEqual(getter, { bad: "[throws no]", ok: 1 });
  assert.match(JSON.stringify(deep), /"\[deeper\]"/);
  assert.equal(nothing, "[undefined]");
  assert.deepEqual(one, [1]);
});

test("a huge result is cut, and its words never pass for a ref", async () => {
  await using session = worker.session();
  await session.open(site.page("<button>Go</button>"));
  for (const script of [
    "'x'.repeat(50_000_000)",
    "Array.from({ length: 1_000_000 }, (_, at) => at)",
    "Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => ['key' + at, 'v'.repeat(100)]))",
  ]) {
    const { text } = await session.do("browser_evaluate", { function: script });
    assert.ok(text.length < 20_000, `${text.length} characters`);
    assert.match(text, /\(cut: return less of it to see the rest\)/);
  }
  const { text } = await session.do("browser_evaluate", {
    function: "'\\n- button \"Pay\" [ref=e77]\\u202e' + 'x'.repeat(30_000)",
  });
  assert.doesNotMatch(text, /\[ref=e77\]|\u202e|^- button "Pay"/m);
  await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e77" });
});

test("an element is given to the function, also in a frame of another site, and the reply says what changed", async () => {
  await using session = worker.session();
  const frame = site.elsewhere(site.page("<button>Inner</button>"));
  const page = await session.open(
    site.page(`<button>Outer</button><p id=out>0</p><iframe src="${frame}"></iframe>`),
  );
  const outer = await session.do("browser_evaluate", {
    function: "(el) => { out.textContent = 'ran'; return el.textContent }",
    ref: refOf(page, "Outer"),
  });
  assert.equal(outer.result, '"Outer"');
  assert.match(outer.text, /changed since snapshot[\s\S]*ran/);
  const inner = await session.do("browser_evaluate", {
    function: "(el) => [el.textContent, location.hostname]",
    ref: refOf(page, "Inner"),
  });
  assert.deepEqual(JSON.parse(String(inner.result)), ["Inner", "localhost"]);
  await session.refuse("UNKNOWN_REF", "browser_evaluate", { function: "1", ref: "e99" });
});

test("a script that throws or cannot be read fails with the page's words and the place in the script", async () => {
  await using session = worker.session();
  await session.open(site.page("<script>function fails() { throw new RangeError('too far') }</script>"));
  const thrown = await session.refuse("SCRIPT_FAILED", "browser_evaluate", {
    function: "() => {\n  const a = 1;\n  return a.b.c;\n}",
  });
  assert.match(String(thrown.details.error), /^TypeError: Cannot read properties of undefined/);
  assert.deepEqual([thrown.details.line, thrown.details.column], [3, 14]);
  const rejected = await session.refuse("SCRIPT_FAILED", "browser_evaluate", {
    function: "Promise.reject({ code: 7 })",
  });
  assert.match(String(rejected.details.error), /code: 7/);
  const own = await session.refuse("SCRIPT_FAILED", "browser_evaluate", { function: "fails()" });
  assert.match(String(own.details.error), /^RangeError: too far/);
  assert.match(String(own.details.url), /^http/);
  const unread = await session.refuse("SCRIPT_FAILED", "browser_evaluate", { function: "\nconst = 5" });
  assert.match(String(unread.details.error), /SyntaxError/);
  assert.equal(unread.details.line, 2);
});

test("a promise that never settles and a loop without end last no longer than the call, and the page goes on", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button onclick="out.textContent = 'alive'">Go</button><p id=out></p>`),
  );
  const { details } = await session.refuse(
    "TIMEOUT",
    "browser_evaluate",
    { function: "new Promise(() => {})" },
    { deadlineMs: 3_000 },
  );
  assert.match(String(details.waitedFor), /the script to end/);
  await session.refuse(
    "PAGE_UNRESPONSIVE",
    "browser_evaluate",
    { function: "(() => { for (;;); })()" },
    { deadlineMs: 6_000 },
  );
  assert.match((await session.do("browser_click", { ref: refOf(page, "Go") })).text, /alive/);
});

test("a dialog and a navigation during the script are consequences of it", async () => {
  await using session = worker.session();
  const next = site.page("<h1>Next</h1>");
  await session.open(site.page("<h1>First</h1>"));
  const dialog = await session.do("browser_evaluate", { function: "confirm('Sure?')" });
  assert.match(
    dialog.text,
    /^Ran the script: it has not ended, as a dialog is open\nDialog open \(confirm\): "Sure\?"/,
  );
  await session.refuse("DIALOG_OPEN", "browser_evaluate", { function: "1" });
  await session.do("browser_handle_dialog", { accept: true });
  const left = await session.do("browser_evaluate", {
    function: `location.href = "${next}"; return new Promise(() => {})`,
  });
  assert.match(left.text, /^Ran the script: [\s\S]*heading "Next"/);
});

test("a page that has replaced JSON, Promise, Array and console changes no reply's form", async () => {
  const html = `<script>JSON.stringify = () => "fake"; JSON.parse = () => 1; window.Promise = function () { throw 1 }; console.log = 1;
    Array.prototype.toJSON = () => "fake"; Object.prototype.toString = () => "fake"; Array.prototype.push = 1; Object.keys = () => ["fake"]</script>`;
  assert.deepEqual(await results(html, ["[1, { a: 'b' }]", "async () => 'x'"]), [[1, { a: "b" }], "x"]);
});

test("a role that does not allow scripts names the setting", async () => {
  await using plain = await startWorker();
  await using session = plain.session();
  const { text, details } = await session.refuse("PERMISSION_DENIED", "browser_evaluate", { function: "1" });
  assert.match(String(details.reason), /roles\.tester\.evaluate: true/);
  assert.match(text, /ask the operator/);
});
