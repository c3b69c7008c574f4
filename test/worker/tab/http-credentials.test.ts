// Tests HTTP authentication. A page that needs a name and password gets its 401, and credentials in an address are
// sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage, startWorker } from "../../harness/worker.ts";

const { worker, site } = await stage();

/** An address that needs a name and password, and its content for requests that have them. */
function locked(body: string) {
  return site.route(({ headers: { authorization } }, response) => {
    const isKnown = authorization === `Basic ${Buffer.from("ada:a b").toString("base64")}`;
    response.writeHead(isKnown ? 200 : 401, {
      "content-type": "text/html",
      ...(isKnown ? {} : { "www-authenticate": 'Basic realm="x"' }),
    });
    response.end(isKnown ? body : "<h1>Not for you</h1>");
  });
}

for (const [kind, script] of [
  [
    "a fetch",
    (url: string) => `fetch('${url}').then((response) => { out.textContent = 'got ' + response.status })`,
  ],
  [
    "a synchronous request",
    (url: string) =>
      `const request = new XMLHttpRequest(); request.open('GET', '${url}', false); request.send(); out.textContent = 'got ' + request.status`,
  ],
  ["a frame", (url: string) => `frame.onload = () => { out.textContent = 'got 401' }; frame.src = '${url}'`],
] as const)
  test(`${kind} that is asked for a name and password gets its 401`, async () => {
    await using session = worker.session();
    const page = await session.open(
      site.page(
        `<button onclick="${script(locked("secret"))}">Load</button><p id=out></p><iframe id=frame></iframe>`,
      ),
    );
    const { text } = await session.do("browser_click", { ref: refOf(page, "Load") });
    assert.match(text, /got 401/);
  });

test("a page that needs a name and password is shown with its status", async () => {
  await using session = worker.session();
  const text = await session.open(locked("secret"));
  assert.match(text, /heading "Not for you"/);
  assert.match(text, /Status: 401/);
});

test("credentials in an address go only to its origin, with all requests of its pages", async () => {
  await using session = worker.session();
  const inner = locked("inside");
  const seen: (string | undefined)[] = [];
  const other = site.elsewhere(
    site.route(({ headers: { authorization } }, response) => {
      seen.push(authorization);
      response.end("{}");
    }),
  );
  const outer = locked(
    `<h1>Open</h1><p id=out></p><script>
      fetch('${other}', { mode: 'no-cors' });
      fetch('${inner}').then((response) => response.text()).then((text) => { out.textContent = 'fetched ' + text });
    </script>`,
  );
  const text = await session.open(outer.replace("//", "//ada:a%20b@"));
  assert.match(text, /heading "Open"/);
  assert.match((await session.do("browser_wait_for", { text: "fetched inside" })).text, /fetched inside/);
  assert.deepEqual(seen, [undefined]);
});

const withPassword = (url: string) => url.replace("//", "//ada:a%20b@");

test("a session's other tabs, popups and reopened tabs have the credentials too", async () => {
  await using session = worker.session();
  const inner = locked("<h1>Inner</h1>");
  const text = await session.open(
    withPassword(locked(`<h1>Outer</h1><button onclick="window.open('${inner}')">Open</button>`)),
  );
  await session.do("browser_click", { ref: refOf(text, "button") });
  await session.do("browser_wait_for", { text: "Inner" });
  await session.do("browser_tabs", { action: "new", url: inner });
  await session.do("browser_wait_for", { text: "Inner" });
  await worker.closeLargestTab();
  for (const tab of ["t1", "t2", "t3"]) {
    // The first call on one of them reports once that its page was closed.
    await session.call("browser_snapshot", { tab });
    const { text: again } = await session.call("browser_snapshot", { full: true, tab });
    assert.match(again, /heading "(Outer|Inner)"/);
  }
});

test("a session that knows a name and password is not hibernated at their cost", async () => {
  await using session = worker.session();
  await session.open(withPassword(locked("<h1>Open</h1>")));
  const { isTold, losses } = await worker.prepareRest(session.id);
  assert.deepEqual([isTold, losses], [false, [`the name and password for ${site.origin}`]]);
});

test("a role's start address may hold credentials, and its sessions lose nothing by hibernation", async () => {
  await using role = await startWorker({ startUrl: withPassword(locked("<h1>Begun</h1>")) });
  await using session = role.session();
  assert.match(await session.read(), /heading "Begun"/);
  assert.deepEqual((await role.prepareRest(session.id)).losses, []);
});
