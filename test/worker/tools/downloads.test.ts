// Tests downloads and browser_downloads, file choosers, and the beginning of a tab's history.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const file = site.route((_request, response) => {
  response.writeHead(200, { "content-disposition": 'attachment; filename="report.csv"' });
  response.end("a,b");
});

const contentOf = (got: unknown) => (got as { content: Buffer }).content.toString();

for (const target of ["_self", "_blank"])
  test(`a download that a link with target ${target} begins is reported with its result`, async () => {
    await using session = worker.session();
    const page = await session.open(site.page(`<a href="${file}" target=${target}>Report</a>`));
    const { text } = await session.do("browser_click", { ref: refOf(page, "Report") });
    const said = text.includes("Download") ? text : (await session.do("browser_wait_for", { time: 1 })).text;
    assert.match(said, /Download: d1 "report\.csv" began; no tool of this profile has to do with files/);
    const { file: got } = await session.do("browser_downloads", { action: "get", id: "d1" });
    assert.equal(contentOf(got), "a,b");
  });

test("a popup that a download closes is never the page of the reply", async () => {
  await using session = worker.session();
  const opener = site.page(`<a href="${file}" target=_blank>Report</a>`);
  // Chrome closes the popup while the reply is made. Each round meets another moment.
  for (let round = 0; round < 20; round++) {
    const { text, page } = await session.do("browser_click", {
      ref: refOf(await session.open(opener), "Report"),
    });
    assert.match(text, /^Clicked/);
    assert.equal(page?.tab, "t1", text);
  }
});

test("downloads are listed with state and size, got once they are whole, and removed", async () => {
  await using session = worker.session();
  const release = Promise.withResolvers<void>();
  const slow = site.route((_request, response) => {
    response.writeHead(200, {
      "content-disposition": 'attachment; filename="slow.txt"',
      "content-type": "text/csv",
      "content-length": "10",
    });
    response.write("01234");
    void release.promise.then(() => response.end("56789"));
  });
  const page = await session.open(site.page(`<a href="${slow}">Slow</a><a href="${file}">Fast</a>`));
  await session.do("browser_click", { ref: refOf(page, "Slow") });
  await session.do("browser_click", { ref: refOf(page, "Fast") });
  await session.do("browser_downloads", { action: "get", id: "d2" });
  const { text, downloads } = await session.do("browser_downloads", { action: "list" });
  assert.match(
    text,
    /^d1 "slow\.txt" under way, [\s\S]*of 10 bytes, http[\s\S]*\nd2 "report\.csv" 3 bytes http/,
  );
  const states = (downloads as { state: string }[]).map(({ state }) => state);
  assert.deepEqual(states, ["DOWNLOAD_STATE_IN_PROGRESS", "DOWNLOAD_STATE_COMPLETED"]);
  assert.deepEqual((await worker.prepareRest(session.id)).losses, ['the download d1 of "slow.txt"']);
  const waiting = session.do("browser_downloads", { action: "get", id: "d1" });
  release.resolve();
  assert.equal(contentOf((await waiting).file), "0123456789");
  const removed = await session.do("browser_downloads", { action: "remove", id: "d1" });
  assert.match(removed.text, /^Removed d1 "slow\.txt"\nd2/);
  const { details } = await session.refuse("INVALID_ARGUMENT", "browser_downloads", {
    action: "get",
    id: "d1",
  });
  assert.deepEqual(details.allowed, ["d2"]);
});

test("a download that never ends is a timeout, and its removal cancels it", async () => {
  await using session = worker.session();
  const closed = Promise.withResolvers<void>();
  const endless = site.route((_request, response) => {
    response.writeHead(200, {
      "content-disposition": 'attachment; filename="endless.bin"',
      "content-type": "text/csv",
    });
    response.write("first");
    response.once("close", closed.resolve);
  });
  const page = await session.open(site.page(`<a href="${endless}">Get</a>`));
  await session.do("browser_click", { ref: refOf(page, "Get") });
  const args = { action: "get", id: "d1" };
  const { text } = await session.refuse("TIMEOUT", "browser_downloads", args, { deadlineMs: 3_000 });
  assert.match(text, /the download d1 "endless\.bin" to end/);
  await session.do("browser_downloads", { action: "remove", id: "d1" });
  await closed.promise;
});

test("a broken download fails with a plan that downloads it again", async () => {
  await using session = worker.session();
  let isBroken = true;
  const breaks = Promise.withResolvers<void>();
  const broken = site.route((_request, response) => {
    response.writeHead(200, {
      // Chrome waits for more bytes where it has to guess the type.
      "content-type": "text/csv",
      "content-disposition": 'attachment; filename="b.txt"',
      "content-length": "10",
    });
    if (!isBroken) return void response.end("0123456789");
    response.write("01234");
    void breaks.promise.then(() => response.destroy());
  });
  const page = await session.open(site.page(`<a href="${broken}?key=1">Get</a>`));
  await session.do("browser_click", { ref: refOf(page, "Get") });
  breaks.resolve();
  const { steps, recoverable, text } = await session.refuse(
    "DOWNLOAD_FAILED",
    "browser_downloads",
    { action: "get", id: "d1" },
    { profile: "full" },
  );
  assert.equal(recoverable, true);
  assert.doesNotMatch(text.split("Action Required")[0] ?? "", /key=1/);
  isBroken = false;
  let last = {};
  for (const { tool, arguments: args } of steps) last = await session.do(tool ?? "", args);
  assert.equal(contentOf((last as { file?: unknown }).file), "0123456789");
});

test("a page's name for a download is never a path or a line", async () => {
  await using session = worker.session();
  const names = [
    "../../../etc/cron.d/x",
    "a\nb.txt",
    "\u202egpj.exe",
    "x".repeat(10_000),
    ".bashrc",
    "-rf",
    "con:*?",
  ];
  const page = await session.open(
    site.page(`<p>Files</p><script>
      const names = ${JSON.stringify(names)};
      for (const [i, download] of names.entries()) {
        const a = document.createElement("a");
        Object.assign(a, { download, href: URL.createObjectURL(new Blob(["x"])), textContent: "Get" + i });
        document.body.append(a, " ");
      }</script>`),
  );
  for (const i of names.keys()) {
    const { downloads } = await session.do("browser_downloads", { action: "list" });
    assert.equal((downloads as unknown[]).length, i);
    await session.do("browser_click", { ref: refOf(page, `"Get${i}"`) });
    await session.do("browser_downloads", { action: "get" });
  }
  const { text, downloads } = await session.do("browser_downloads", { action: "list" });
  for (const { name } of downloads as { name: string }[]) {
    assert.match(name, /^[^/\\.\-\p{C}][^/\\\p{C}]*$/u, name);
    assert.ok(Buffer.byteLength(name) <= 200, name);
  }
  assert.equal(text.split("\n").length, names.length, text);
});

test("two sessions never see each other's downloads", async () => {
  await using first = worker.session();
  await using second = worker.session();
  const page = await first.open(site.page(`<a href="${file}">Get</a>`));
  await first.do("browser_click", { ref: refOf(page, "Get") });
  const { downloads } = await second.do("browser_downloads", { action: "list" });
  assert.deepEqual(downloads, []);
  await second.refuse("INVALID_ARGUMENT", "browser_downloads", { action: "get", id: "d1" });
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
    assert.match(text, /^The page asks for files: no tool of this profile has to do with files/m);
  }
  assert.doesNotMatch((await session.do("browser_press_key", { key: "Shift" })).text, /asks for files/);
});
