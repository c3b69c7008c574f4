// Tests PDFs that the browser opens itself. A browser with a viewer shows their text; otherwise the reply gives advice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage, type WorkerSession } from "../../harness/worker.ts";
import { pdfOf } from "../../site/pdf.ts";

const { worker, site } = await stage();

/** The headless shell has no viewer: it treats a PDF as a download. */
const hasViewer = await (async () => {
  await using session = worker.session();
  return /text: true/.test(
    await session.open(site.page("<script>document.write(navigator.pdfViewerEnabled)</script>")),
  );
})();
/** The tests' browser has a viewer or has none, and each case has tests of its own. */
const testShown = hasViewer ? test : passOver;
const testNotShown = hasViewer ? passOver : test;

function passOver(_name: string, _body: () => Promise<void>): void {}

const served = (file: Buffer, headers: Record<string, string> = {}) =>
  site.route((_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf", ...headers });
    response.end(file);
  });
const NOT_LOADED = /The PDF is still loading|not reachable|not loaded|do not answer/;
const LOOKS_MAX = 100;
/** The viewer is slow on a busy machine. While the replies say so, this asks again. */
async function onceLoaded(said: string, again: () => Promise<string>): Promise<string> {
  let text = said;
  for (let look = 0; look < LOOKS_MAX && NOT_LOADED.test(text); look++) text = await again();
  return text;
}
const whole = (session: WorkerSession, said: string) => onceLoaded(said, () => session.read());
const invoice = pdfOf([["Invoice 17", "Total 42 EUR"], [], ["Pay by Friday"]], "The invoice");

for (const target of ["_self", "_blank"])
  testShown(`a link with target ${target} to a PDF tells its text`, async () => {
    await using session = worker.session();
    const page = await session.open(site.page(`<a href="${served(invoice)}" target=${target}>Invoice</a>`));
    const clicked = await session.do("browser_click", { ref: refOf(page, "Invoice") });
    const text = await whole(session, clicked.text);
    assert.match(text, /^Page "The invoice" /m);
    assert.match(text, /text: Invoice 17\n *- text: Total 42 EUR\n *- text: Pay by Friday/);
    const again = await session.do("browser_snapshot");
    assert.match(again.text, /^unchanged since snapshot/);
  });

testShown("the text of a PDF within a page is told in its place", async () => {
  await using session = worker.session();
  const file = served(invoice);
  for (const html of [`<iframe title=Doc src="${file}"></iframe>`, `<embed title=Doc src="${file}">`]) {
    const text = await whole(session, await session.open(site.page(`<h1>Bill</h1>${html}`)));
    assert.match(text, /(iframe|embed) "Doc"[\s\S]*text: Invoice 17\n *- text: Total 42 EUR/);
  }
});

testShown("a text in a PDF is found, and a long one is told in parts", async () => {
  await using session = worker.session();
  const lines = (from: number) => Array.from({ length: 40 }, (_, at) => `Position ${from + at}`);
  const pages = Array.from({ length: 50 }, (_, at) => lines(40 * at));
  const file = served(pdfOf(pages, "The list"));
  await whole(session, await session.open(file));
  const read = async () => (await session.do("browser_snapshot", { full: true, maxTokens: 2_000 })).text;
  const text = await onceLoaded(await read(), read);
  assert.match(text, /text: Position 0\n/);
  assert.match(text, /more .* like these \[expand with browser_snapshot ref=f\d+_e\d+ offset=\d+\]/);
  assert.ok(text.length <= 8_000, `${text.length} characters`);
  const find = async () => (await session.do("browser_find", { text: "Position 1999" })).text;
  assert.match(await onceLoaded(await find(), find), /text .*: Position 1999\n/);
});

testShown("a PDF whose pages are pictures is said to have no text", async () => {
  await using session = worker.session();
  const text = await whole(session, await session.open(served(pdfOf([[], []], "Scans"))));
  assert.match(text, /^The PDF has no text: .*browser_take_screenshot/m);
});

testShown("a PDF that wants a password tells its text once it has it", async () => {
  await using session = worker.session();
  const file = served(pdfOf([["Invoice 18"]], "Locked", "swordfish"));
  const asks = await whole(session, await session.open(file));
  assert.match(asks, /^The PDF opens with a password\b/m);
  assert.doesNotMatch(asks, /Invoice 18/);
  await session.do("browser_type", { ref: refOf(asks, "textbox"), text: "swordfish", submit: true });
  await session.do("browser_wait_for", { text: "Invoice 18" });
  assert.doesNotMatch(await session.read(), /password/);
});

testShown("what is no PDF at all holds nobody", async () => {
  await using session = worker.session();
  const text = await whole(session, await session.open(served(Buffer.from("no PDF"))));
  assert.match(text, /^The PDF could not be read/m);
});

testNotShown("a PDF that cannot be shown is told with what it is and where it can be seen", async () => {
  await using session = worker.session();
  const file = served(invoice, { "content-disposition": 'inline; filename="invoice.pdf"' });
  const page = await session.open(site.page(`<a href="${file}">Invoice</a>`));
  const { text } = await session.do("browser_click", { ref: refOf(page, "Invoice") });
  assert.match(
    text,
    /^Download: d1 "invoice\.pdf" began; no tool of this profile has to do with files\. It is a PDF: .*Chrome or Chromium.*browser\.executable/m,
  );
  const opened = await session.open(file);
  assert.match(opened, /It is a PDF/);
});
