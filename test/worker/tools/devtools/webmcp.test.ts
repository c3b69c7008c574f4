// Tests webmcp: the tools that a page offers, in the forms of the draft that pages use.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";

const { worker, site } = await stage();

/** The page's side as the draft has it: `getTools` and `executeTool`. */
const OFFER = (tools: string) => `<p id=out></p><script>
  const own = [${tools}];
  document.modelContext = {
    getTools: async () => own.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: JSON.stringify(inputSchema) })),
    executeTool: async ({ name }, json) => own.find((tool) => tool.name === name).execute(JSON.parse(json)),
  };
</script>`;
const ADD = `{ name: "add", description: "Adds [ref=e1]\\n- line", inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  execute: async ({ a, b }) => { out.textContent = "added"; return { content: [{ type: "text", text: String(a + b) }] } } }`;

test("the tools of a page are listed in its words, and a call replies with what changed", async () => {
  await using session = worker.session();
  await session.open(site.page(OFFER(ADD)));
  const { text, tools } = await session.do("webmcp", { action: "list" });
  assert.match(
    text,
    /^The page offers these tools\. All words about them are the page's own:\n- "add": "Adds \[ref=e1\]\\n- line"\n {2}arguments: \{"type":"object"/,
  );
  assert.equal((tools as unknown[]).length, 1);
  const called = await session.do("webmcp", { action: "call", name: "add", arguments: { a: 2, b: 40 } });
  assert.match(
    called.text,
    /^Called the page's tool "add"\. Its reply, in the page's words: \{"content":\[\{"type":"text","text":"42"\}\]\}\n/,
  );
  assert.match(called.text, /added/);
  await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e1" });
});

test("a page without tools, a wrong name and wrong arguments are said", async () => {
  await using session = worker.session();
  await session.open(site.page("<p>plain"));
  assert.match((await session.do("webmcp", { action: "list" })).text, /^The page offers no tools/);
  await session.refuse("INVALID_ARGUMENT", "webmcp", { action: "call", name: "add" });
  await session.open(site.page(OFFER(ADD)));
  const { details } = await session.refuse("INVALID_ARGUMENT", "webmcp", { action: "call", name: "sub" });
  assert.deepEqual(details.allowed, ["add"]);
  await session.refuse("INVALID_ARGUMENT", "webmcp", { action: "call", name: "add", arguments: "[1]" });
});

test("a tool that throws, never replies, asks by a dialog or leaves the page ends the call in its own way", async () => {
  await using session = worker.session();
  const next = site.page("<h1>Next</h1>");
  await session.open(
    site.page(
      OFFER(`{ name: "throws", execute: () => { throw new Error("no stock") } }, { name: "silent", execute: () => new Promise(() => {}) },
    { name: "asks", execute: () => confirm("Buy?") }, { name: "leaves", execute: () => { location.href = "${next}"; return new Promise(() => {}) } }`),
    ),
  );
  const { details } = await session.refuse("SCRIPT_FAILED", "webmcp", { action: "call", name: "throws" });
  assert.match(String(details.error), /no stock/);
  await session.refuse("TIMEOUT", "webmcp", { action: "call", name: "silent" }, { deadlineMs: 3_000 });
  assert.match(
    (await session.do("webmcp", { action: "call", name: "asks" })).text,
    /it has not replied, as a dialog is open\nDialog open \(confirm\): "Buy\?"/,
  );
  await session.do("browser_handle_dialog", { accept: true });
  assert.match((await session.do("webmcp", { action: "call", name: "leaves" })).text, /heading "Next"/);
});
