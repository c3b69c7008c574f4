// Tests opening addresses: the reply's report on the way there, and the reason if there is no page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "../../harness/free-port.ts";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();
const one = site.page("<title>One</title><h1>Page one</h1><button>First</button>");
const two = site.page("<title>Two</title><h1>Page two</h1><button>Second</button>");

test("a navigation reports where it led and by which way, and shows the page", async () => {
  await using session = worker.session();
  const detour = site.redirect(site.redirect(one));
  const reply = await session.do("browser_navigate", { url: detour });
  assert.match(
    reply.text,
    new RegExp(`^Opened ${one}\nRequested: ${detour}\nStatus: 200\nRedirects: 2\nTime: `),
  );
  assert.match(reply.text, /Page "One" .* \(tab t1, role tester\)\n\n- heading "Page one" \[level=1\]/);
  assert.equal(reply.finalUrl, one);
  assert.equal(reply.requestedUrl, detour);
  assert.equal(reply.status, 200);
  assert.equal(reply.redirects, 2);
  assert.equal(reply.page?.title, "One");
  assert.equal(reply.page?.snapshotId, 1);
});

test("a page with an HTTP error is shown, with its status", async () => {
  await using session = worker.session();
  const { text, status } = await session.do("browser_navigate", { url: `${site.origin}/nowhere` });
  assert.equal(status, 404);
  assert.match(text, /heading "Not Found"/);
  assert.match(text, /HTTP status: 404/);
  assert.doesNotMatch(await session.open(one), /HTTP status/);
});

test("an address without a scheme is opened, with http on this machine", async () => {
  await using session = worker.session();
  assert.match(await session.open(one.replace("http://", "")), /Page one/);
});

test("unknown names and ports without a listener have different causes", async () => {
  await using session = worker.session();
  const dns = await session.refuse("NAVIGATION_FAILED", "browser_navigate", {
    url: "http://no-such-host.invalid/",
  });
  assert.equal(dns.details.cause, "dns");
  const refused = await session.refuse("NAVIGATION_FAILED", "browser_navigate", {
    url: `http://127.0.0.1:${await freePort()}/`,
  });
  assert.equal(refused.details.cause, "refused");
  assert.match(refused.text, /Nothing accepts connections/);
  // The tab still works.
  assert.match(await session.open(one), /Page one/);
});

test("the browser's own error page for an address shows no password of it", async () => {
  await using session = worker.session();
  for (const host of ["no-such-host.invalid", `127.0.0.1:${await freePort()}`, "127.0.0.1:1"]) {
    const url = `http://somebody:s3cr3t@${host}/path`;
    await session.refuse("NAVIGATION_FAILED", "browser_navigate", { url });
    const { text } = await session.do("browser_snapshot", { full: true });
    const found = await session.do("browser_find", { regex: "somebody|s3cr3t" });
    assert.doesNotMatch(text + found.text, /somebody|s3cr3t/);
    // Some browsers have no error page of their own.
    if (text.includes("http:", text.indexOf("\n")))
      assert.ok(text.split(`http://${host}/path`).length > 2, text);
  }
});

test("a server that hangs up, redirects for ever or sends no content has its own cause", async () => {
  await using session = worker.session();
  const rude = site.route((request) => request.socket.destroy());
  const circle = site.route((request, response) => {
    response.writeHead(302, { location: request.url ?? "/" }).end();
  });
  const nothing = site.page("", { status: 204 });
  for (const [url, cause] of [
    [rude, "empty"],
    [circle, "redirects"],
    [nothing, "no-content"],
  ]) {
    const { details } = await session.refuse("NAVIGATION_FAILED", "browser_navigate", { url: url ?? "" });
    assert.equal(details.cause, cause);
  }
});

test("pages of the machine and of the browser are never opened", async () => {
  await using session = worker.session();
  for (const url of [
    "file:///etc/passwd",
    "chrome://version",
    "view-source:http://example.com",
    "javascript:alert(1)",
    "ftp://example.com/",
    "devtools://devtools/bundled/inspector.html",
  ]) {
    const { recoverable } = await session.refuse("NAVIGATION_BLOCKED", "browser_navigate", { url });
    assert.equal(recoverable, false);
    await session.refuse("NAVIGATION_BLOCKED", "browser_tabs", { action: "new", url });
  }
  await session.refuse("INVALID_ARGUMENT", "browser_navigate", { url: "http://" });
});

test("an HTTP error without a body is reported with its status, each kind with its own cause", async () => {
  await using session = worker.session();
  const answering = (status: number, headers = {}) =>
    site.route((_request, response) => response.writeHead(status, headers).end());
  for (const [url, cause, reason] of [
    [answering(404), "http-refused", /^HTTP status 404/],
    [answering(500), "http-server", /^HTTP status 500/],
    [answering(401, { "WWW-Authenticate": 'Basic realm="x"' }), "http-login", /HTTP status 401|CREDENTIALS/],
  ] as const) {
    const { details, text } = await session.refuse("NAVIGATION_FAILED", "browser_navigate", { url });
    assert.equal(details.cause, cause);
    assert.match(String(details.reason), reason);
    assert.doesNotMatch(text, /Chrome could not open the page/);
  }
});

test("a download beside a page says that the tab still shows that page", async () => {
  await using session = worker.session();
  await session.open(one);
  const url = site.route((_request, response) =>
    response.writeHead(200, { "Content-Disposition": "attachment; filename=list.csv" }).end("a"),
  );
  const { text, status, finalUrl } = await session.do("browser_navigate", { url });
  assert.match(text, new RegExp(`^The address is a download: ${url}\nThe tab still shows: ${one}\n`));
  assert.doesNotMatch(text, /Opened|Status/);
  assert.deepEqual([status, finalUrl], [0, one]);
});

test("an address that is a download opens no page, and the reply names the download", async () => {
  await using session = worker.session();
  await session.open(one);
  const file = site.page("a,b", { headers: { "content-disposition": 'attachment; filename="list.csv"' } });
  const { text } = await session.do("browser_navigate", { url: file });
  assert.match(text, /Download: d1 "list\.csv"/);
  assert.match(text, /Page one/);
});

test("back leads to the previous page with new refs, and reports if there is none", async () => {
  await using session = worker.session();
  await session.refuse("NO_HISTORY", "browser_navigate_back");
  await session.open(one);
  await session.open(two);
  const { text, finalUrl } = await session.do("browser_navigate_back");
  assert.match(text, /^Went back to /);
  assert.match(text, /heading "Page one"[\s\S]*button "First" \[ref=e1\]/);
  assert.equal(finalUrl, one);
  await session.do("browser_click", { ref: "e1" });
});

test("back within a document leads to the previous state", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button onclick="history.pushState({}, '', '?step=2'); show()">Next</button><main id=out></main>
      <script>function show() { out.textContent = 'step ' + (new URLSearchParams(location.search).get('step') ?? 1) } onpopstate = show; show()</script>`,
    ),
  );
  assert.match((await session.do("browser_click", { ref: refOf(page, "Next") })).text, /main: step 2/);
  const { text } = await session.do("browser_navigate_back");
  assert.match(text, /main: step 1/);
});

test("back on a page that polls does not show the page that it leaves", async () => {
  await using session = worker.session();
  await session.open(one);
  const polled = site.page("polled");
  await session.open(
    site.page(
      `<h1>Polling</h1><script>setInterval(() => fetch('${polled}').then((answer) => answer.text()), 10)</script>`,
    ),
  );
  assert.match((await session.do("browser_navigate_back")).text, /heading "Page one"/);
});

test("the reply to a navigation shows content that the page fetches as it loads", async () => {
  await using session = worker.session();
  const slow = site.hold();
  const opening = session.open(
    site.page(
      `<ul id=list></ul><script>fetch('${slow.url}').then(r => r.json()).then(names => list.innerHTML = names.map(name => '<li>' + name).join(''))</script>`,
    ),
  );
  await slow.asked();
  slow.release('["Ada", "Bob"]', { headers: { "content-type": "application/json" } });
  assert.match(await opening, /listitem: Ada[\s\S]*listitem: Bob/);
});

test("a server that does not answer ends the call by its deadline, and the tab goes on", async () => {
  await using session = worker.session();
  await session.open(one);
  const slow = site.hold();
  const refusal = await session.refuse(
    "TIMEOUT",
    "browser_navigate",
    { url: slow.url },
    { deadlineMs: 1_000 },
  );
  assert.match(String(refusal.details.waitedFor), /an answer from 127\.0\.0\.1/);
  assert.match(await session.read(), /Page one/);
  assert.match(await session.open(two), /Page two/);
});

test("an address within the shown page moves there", async () => {
  await using session = worker.session();
  await session.open(one);
  const { page } = await session.do("browser_navigate", { url: `${one}#part` });
  assert.equal(page?.url, `${one}#part`);
});

test("an action that leads to a silent server says so, and a snapshot waits for the page", async () => {
  await using session = worker.session();
  const slow = site.hold();
  const page = await session.open(site.page(`<a href="${slow.url}">Slow</a>`));
  const { text } = await session.do("browser_click", { ref: refOf(page, "Slow") }, { deadlineMs: 3_500 });
  assert.match(text, /Clicked e1 link "Slow"\nAnother page is on its way/);
  const reading = session.read();
  slow.release("<h1>At last</h1>");
  assert.match(await reading, /At last/);
});

test("a snapshot that waits in vain names the silent address, and the next one shows the present page", async () => {
  await using session = worker.session();
  const silent = site.hold();
  const page = await session.open(site.page(`<h1>Here</h1><a href="${silent.url}">Away</a>`));
  await session.do("browser_click", { ref: refOf(page, 'link "Away"') });
  const { details, text } = await session.refuse("TIMEOUT", "browser_snapshot", {}, { deadlineMs: 1_500 });
  assert.equal(details.waitedFor, `an answer from ${silent.url}`);
  assert.match(text, /go on with the page as it is/);
  assert.match(await session.read(), /Here/);
});

test("a page that changes its address without end is slowed down, so that the browser serves others", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<button onclick="for (let n = 1; n <= 1000; n++) history.pushState(null, '', '#' + n); out.textContent = location.hash">Push</button><output id=out></output>`,
    ),
  );
  const { text } = await session.do("browser_click", { ref: refOf(page, "Push") });
  const reached = Number(/#(\d+)/.exec(text)?.[1]);
  assert.ok(reached > 0 && reached < 1000, text);
});

test("a page without a secure context, such as any http page of another machine, is read", async () => {
  await using session = worker.session();
  const page = await session.open(
    "data:text/html,<script>document.write('secure: ' + isSecureContext)</script><button>Pay</button>",
  );
  assert.match(page, /secure: false/);
  assert.match(page, /- button "Pay" \[ref=e1\]/);
});

test("an empty page is shown without a wait for scripts that it cannot have", {
  timeout: 30_000,
}, async () => {
  await using session = worker.session();
  // With a wait, each of them takes three seconds.
  for (let times = 0; times < 12; times++) await session.do("browser_navigate", { url: "about:blank" });
});
