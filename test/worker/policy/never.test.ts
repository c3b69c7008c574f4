// Tests the places that every role without a list is kept from: metadata services and the daemon's own ports.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { refOf, startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const [site, daemon] = await Promise.all([serveSite(), serveSite()]);
const worker = await startWorker({ daemonPorts: [Number(new URL(daemon.origin).port)] });
after(async () => {
  await worker[Symbol.asyncDispose]();
  await Promise.all([site[Symbol.asyncDispose](), daemon[Symbol.asyncDispose]()]);
});

test("the daemon's own address is not opened, by navigate, a redirect, a link or a popup", async () => {
  await using session = worker.session();
  for (const url of [daemon.origin, daemon.otherOrigin, daemon.origin.replace("127.0.0.1", "2130706433")])
    await session.refuse("NAVIGATION_BLOCKED", "browser_navigate", { url });
  const { details } = await session.refuse("NAVIGATION_BLOCKED", "browser_navigate", {
    url: site.redirect(`${daemon.otherOrigin}/x`),
  });
  assert.equal(details.url, `${daemon.otherOrigin}/x`);
  assert.equal(details.reason, "it is the daemon's own address");
  for (const html of [
    `<a href="${daemon.origin}/x">Go</a>`,
    `<button onclick="window.open('${daemon.otherOrigin}/x')">Go</button>`,
  ]) {
    const page = await session.open(site.page(html));
    await session.refuse("NAVIGATION_BLOCKED", "browser_click", { ref: refOf(page, '"Go"') });
  }
  assert.deepEqual(daemon.requests, []);
});

test("an address of the daemon or of a metadata service is not opened in any spelling", async () => {
  await using session = worker.session();
  const { port } = new URL(daemon.origin);
  const ways = [
    ...["0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "0", "[::1]", "[::ffff:127.0.0.1]"],
    ...[
      "[::ffff:7f00:1]",
      "[::]",
      "LOCALHOST",
      "localhost.",
      "%6cocalhost",
      "１２７.0.0.1",
      "ⓛocalhost",
      "a.localhost",
    ],
  ].map((host) => `http://${host}:${port}/x`);
  const metadata = [
    ...["2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "169.254.169.254."],
    ...["[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[fd00:ec2::254]"],
    ...[
      "METADATA.Google.Internal",
      "metadata.google.internal.",
      "metadata。google。internal",
      "ｍetadata.google.internal",
    ],
  ].map((host) => `http://${host}/latest`);
  for (const url of [...ways, ...metadata]) {
    const reply = await session.call("browser_navigate", { url });
    assert.equal(reply.error?.type, "NAVIGATION_BLOCKED", `${url}: ${reply.text}`);
  }
  assert.deepEqual(daemon.requests, []);
});

test("a page's own requests to a metadata service are blocked and reported", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<h1>Here</h1><iframe src="http://169.254.169.254/latest"></iframe><main id=out></main><script>
      fetch("http://169.254.169.254/latest", { mode: "no-cors" }).catch(() => 0)
        .then(() => { const socket = new WebSocket("ws://metadata.google.internal/x"); socket.onerror = () => { out.textContent = "tried"; } });</script>`),
  );
  assert.match(page, /heading "Here"/);
  await session.do("browser_wait_for", { text: "tried" });
  const text = await session.read();
  assert.match(
    text,
    /- Blocked: 3 requests to http:\/\/169\.254\.169\.254, ws:\/\/metadata\.google\.internal \(not allowed\)/,
  );
  const { text: said } = await session.do("browser_console_messages");
  assert.doesNotMatch(said, /SOCKS/);
});

test("the console reports failed requests with Chrome's error for the real cause", async () => {
  await using session = worker.session();
  await session.open(site.page(`<img src="http://no-such-host.invalid/x.png">`));
  const { text } = await session.do("browser_console_messages");
  assert.match(text, /ERR_NAME_NOT_RESOLVED/);
});
