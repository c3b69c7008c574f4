// Tests downloads, file choosers and the beginning of a tab's history: the replies if nothing more can be done.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const file = site.route((_request, response) => {
  response.writeHead(200, { "content-disposition": 'attachment; filename="report.csv"' });
  response.end("a,b");
});

for (const target of ["_self", "_blank"])
  test(`a download that a link with target ${target} begins is reported with its result`, async () => {
    await using session = worker.session();
    const page = await session.open(site.page(`<a href="${file}" target=${target}>Report</a>`));
    const { text } = await session.do("browser_click", { ref: refOf(page, "Report") });
    const said = text.includes("Download") ? text : (await session.do("browser_wait_for", { time: 1 })).text;
    assert.match(
      said,
      /Download: "report\.csv" began and was not kept; files cannot be kept in this version/,
    );
  });

test("a tab's first page has no history", async () => {
  await using session = worker.session();
  const first = site.page("<h1>First</h1>");
  await session.open(first);
  await session.refuse("NO_HISTORY", "browser_navigate_back");
  await session.open(site.page("<h1>Second</h1>"));
  assert.match((await session.do("browser_navigate_back")).text, /First/);
  await session.refuse("NO_HISTORY", "browser_navigate_back");
});

test("a click that makes the page ask for files says so once", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<input type=file aria-label=Picture id=picture><button onclick="picture.click()">Choose</button>`,
    ),
  );
  for (const name of ["Picture", "Choose"]) {
    const { text } = await session.do("browser_click", { ref: refOf(page, name) });
    assert.match(text, /^The page asked for files; none can be chosen in this version/m);
  }
  assert.doesNotMatch((await session.do("browser_press_key", { key: "Shift" })).text, /asked for files/);
});
