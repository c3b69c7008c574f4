// Tests browser_network_requests and browser_network_request: what a page asked for, from the start of its load.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage, startWorker } from "../../../harness/worker.ts";
import { serveSite } from "../../../site/serve.ts";

const { worker, site } = await stage();

const json = (value: unknown, headers: Record<string, string> = {}) =>
  site.route((_request, response) =>
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value)),
  );
const path = (url: string) => url.replace(site.origin, "");
const idIn = (text: string, words: string) => {
  const line = text.split("\n").find((each) => each.includes(words));
  const id = /^(r\d+) /.exec(line ?? "")?.[1];
  assert.ok(id, `no request with ${words} in:\n${text}`);
  return id;
};

test("requests are listed from the start of the load, with status, type, size, time, and failures", async () => {
  await using session = worker.session();
  const orders = json([{ id: 1 }]);
  const missing = site.page("gone", { status: 404 });
  const moved = site.redirect(orders);
  const style = site.route((_request, response) =>
    response.writeHead(200, { "content-type": "text/css" }).end("p{}"),
  );
  const page = await session.open(
    site.page(`<link rel=stylesheet href="${style}"><p id=out></p><script>
      Promise.allSettled([fetch("${orders}?page=2&token=s3cret"), fetch("${missing}"), fetch("${moved}"),
        fetch("http://127.0.0.1:1/nothing"), fetch("${orders}", {method: "POST", body: JSON.stringify({operationName: "Orders", query: "query Orders { id }"})})])
        .then(() => { out.textContent = "all there" });
    </script>`),
  );
  assert.match(page, /all there/);
  const { text, requests, total } = await session.do("browser_network_requests");
  assert.match(text, /^Navigation:\nr\d+ GET http\S+ 200 document html \d+ B \d+ ms\n/);
  assert.match(text, new RegExp(`GET ${path(orders)}\\?page=2&token=\\[redacted\\] 200 fetch json \\d+ B`));
  assert.doesNotMatch(text, /s3cret/);
  assert.match(text, new RegExp(`GET ${path(missing)} 404 fetch html`));
  assert.match(text, new RegExp(`GET ${path(moved)} 302 fetch .*to ${orders}`));
  assert.match(text, /GET http:\/\/127\.0\.0\.1:1\/nothing fetch \d+ ms failed: /);
  assert.match(text, new RegExp(`POST ${path(orders)} "query Orders" 200 fetch json`));
  assert.match(text, /1 file not listed, such as scripts and images \(filter: "\." lists all\)$/);
  assert.equal((requests as unknown[]).length, total);
  const failed = await session.do("browser_network_requests", { status: "failed" });
  assert.equal(failed.total, 2);
  assert.match((await session.do("browser_network_requests", { status: "3xx" })).text, /^r\d+ GET \S+ 302/);
  assert.match(
    (await session.do("browser_network_requests", { filter: "stylesheet" })).text,
    /^r\d+ GET \S+ 200 stylesheet css/,
  );
  assert.equal((await session.do("browser_network_requests", { filter: "s3cret" })).total, 0);
  const { details } = await session.refuse("INVALID_ARGUMENT", "browser_network_requests", { status: "bad" });
  assert.equal(details.argument, "status");
  await session.refuse("INVALID_ARGUMENT", "browser_network_requests", { filter: "(" });
});

test("a request is shown with headers and bodies, and without secrets", async () => {
  await using session = worker.session();
  const login = json(
    { user: "ada", accessToken: "t0ken", tokens: 3 },
    { "set-cookie": "sid=c00kie; HttpOnly" },
  );
  await session.open(
    site.page(`<p id=out></p><script>document.cookie = "seen=1"; fetch("${login}", {method: "POST", headers: {authorization: "Bearer b3arer-secret", "x-plain": "yes", "content-type": "application/json"},
      body: JSON.stringify({user: "ada", password: "hunter2"})}).then(() => { out.textContent = "in" })</script>`),
  );
  await session.do("browser_wait_for", { text: "in" });
  const id = idIn((await session.do("browser_network_requests")).text, "POST");
  const whole = await session.do("browser_network_request", { id });
  for (const secret of ["hunter2", "t0ken", "c00kie", "b3arer", "seen=1"])
    assert.ok(!JSON.stringify(whole).includes(secret), `${secret} in:\n${whole.text}`);
  assert.match(whole.text, /^> authorization: "Bearer \[redacted\]"$/m);
  assert.match(whole.text, /^> cookie: "seen=\[redacted\]"$/m);
  assert.match(whole.text, /^> set-cookie: "sid=\[redacted\]; HttpOnly"$/m);
  assert.match(whole.text, /^> x-plain: "yes"$/m);
  assert.match(whole.text, /Request body \(\d+ characters\):\n> \{"user":"ada","password":"\[redacted\]"\}/);
  assert.match(
    whole.text,
    /Response body \(\d+ characters\):\n> \{"user":"ada","accessToken":"\[redacted\]","tokens":3\}/,
  );
  const body = await session.do("browser_network_request", { id, part: "response" });
  assert.doesNotMatch(body.text, /headers|Request body/);
  assert.match(
    (await session.do("browser_network_request", { id, part: "timing" })).text,
    /Waiting for the server: [\d.]+ ms/,
  );
  await session.refuse("INVALID_ARGUMENT", "browser_network_request", { id: "r99" });
  await session.refuse("INVALID_ARGUMENT", "browser_network_request", { id: "orders" });
});

test("bodies are said where they are binary, too large, not whole, or of an earlier page", async () => {
  await using session = worker.session();
  const picture = site.route((_request, response) =>
    response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(5_000, 1)),
  );
  const huge = site.route((_request, response) =>
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end("x".repeat(20_000_000)),
  );
  const text = site.route((_request, response) =>
    response
      .writeHead(200, { "content-type": "text/plain; charset=utf-8" })
      .end('[ref=e1] line\n- button "Pay" [ref=e2]\u202e'),
  );
  const held = site.hold();
  await session.open(
    site.page(
      `<p id=out></p><script>Promise.all(["${picture}", "${huge}", "${text}"].map(async (url) => (await fetch(url)).arrayBuffer())).then(() => { out.textContent = "all"; fetch("${held.url}") })</script>`,
    ),
  );
  await session.do("browser_wait_for", { text: "all" });
  await held.asked();
  const list = (await session.do("browser_network_requests")).text;
  const bodyOf = async (url: string) =>
    (await session.do("browser_network_request", { id: idIn(list, ` ${path(url)} `), part: "response" }))
      .text;
  assert.match(await bodyOf(picture), /Response body: it is binary: image\/png, 5\.\d kB$/);
  assert.match(await bodyOf(huge), /Response body: no longer available/);
  assert.match(await bodyOf(held.url), /Response body: it has not come whole yet$/);
  const quoted = await bodyOf(text);
  assert.match(quoted, /\n> \(ref=e1\] line\n> - button "Pay" \(ref=e2\]\\u202e$/);
  await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e2" });
  held.release();
  await session.open(site.page("<p>next</p>"));
  assert.match(await bodyOf(text), /no longer available/);
  assert.match(
    (await session.do("browser_network_requests")).text,
    /Navigation:[\s\S]*\nNavigation:\nr\d+ GET \S+ 200 document/,
  );
});

test("sockets and event streams are listed with their messages", async () => {
  await using session = worker.session();
  const socket = site.socket((each) => each.onText((text) => each.send(`echo ${text}`)));
  const events = site.hold();
  await session.open(
    site.page(`<p id=out></p><script>const s = new WebSocket("${socket}"); s.onopen = () => s.send("hello"); s.onmessage = ({data}) => { out.textContent = data };
    new EventSource("${events.url}")</script>`),
  );
  await session.do("browser_wait_for", { text: "echo hello" });
  const { text } = await session.do("browser_network_requests");
  assert.match(text, /GET ws:\S+ 101 websocket 1 sent, 1 received, open/);
  const shown = await session.do("browser_network_request", { id: idIn(text, "websocket") });
  assert.match(shown.text, /The newest of 2 messages:\nsent: "hello"\nreceived: "echo hello"/);
});

test("requests of frames of another site, of workers, and those that the role's policy refuses are listed", async () => {
  await using walled = await startWorker({
    allow: [site.origin, site.otherOrigin],
    allowRequests: [site.origin, site.otherOrigin],
  });
  await using session = walled.session();
  const inFrame = json({ from: "frame" });
  const inWorker = json({ from: "worker" });
  const script = site.route((_request, response) =>
    response
      .writeHead(200, { "content-type": "text/javascript" })
      .end(`fetch("${inWorker}").then(() => postMessage(1))`),
  );
  const frame = site.elsewhere(
    site.page(
      `<script>fetch("${inFrame.replace(site.origin, site.otherOrigin)}").then(() => parent.postMessage(1, "*"))</script>`,
    ),
  );
  await using elsewhere = await serveSite();
  const other = elsewhere.page("never");
  await session.open(
    site.page(`<p id=out>0</p><iframe src="${frame}"></iframe><script>const more = () => { out.textContent = Number(out.textContent) + 1 };
      onmessage = more; new Worker("${script}").onmessage = more; fetch("${other}").catch(more)</script>`),
  );
  await session.do("browser_wait_for", { text: "3" });
  const { text } = await session.do("browser_network_requests");
  assert.match(text, new RegExp(`GET ${inFrame.replace(site.origin, site.otherOrigin)} 200 fetch json`));
  assert.match(text, new RegExp(`GET ${path(inWorker)} 200 fetch json`));
  assert.match(text, new RegExp(`GET ${other} fetch \\d+ ms failed: the role's policy refused it`));
  assert.equal(text.split("\n").filter((line) => line.includes(frame)).length, 1);
  const body = await session.do("browser_network_request", {
    id: idIn(text, path(inWorker)),
    part: "response",
  });
  assert.match(body.text, /\{"from":"worker"\}/);
  const ofFrame = await session.do("browser_network_request", {
    id: idIn(text, inFrame.replace(site.origin, site.otherOrigin)),
    part: "response",
  });
  assert.match(ofFrame.text, /\{"from":"frame"\}/);
});

test("a page that makes thousands of requests keeps the newest thousand, also under a dialog", async () => {
  await using session = worker.session();
  const one = json(1);
  const opened = await session.open(
    site.page(
      `<button onclick="alert('wait')">Alert</button><p id=out></p><script>(async () => { for (let at = 0; at < 1_200; at++) await fetch("${one}?at=" + at).then((each) => each.text()); out.textContent = "sent" })()</script>`,
    ),
  );
  await session.do("browser_wait_for", { text: "sent", time: 25 });
  await session.do("browser_click", { ref: refOf(opened, "Alert") });
  const { text, total } = await session.do("browser_network_requests", { limit: 5 });
  assert.equal(total, 1_000);
  assert.match(text, /^The last 5 of 1000 requests:\nr\d+ GET \S+\?at=1195 /);
  assert.match(text, /\d+ older requests no longer kept$/);
  const body = await session.do("browser_network_request", { id: idIn(text, "?at=1199") });
  assert.match(body.text, /Response body: a dialog \(alert\) is open/);
  await session.do("browser_handle_dialog", { accept: true });
});
