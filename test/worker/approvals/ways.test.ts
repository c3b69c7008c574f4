// Tests the ways by which a page could send something past the person, and pages that want too much.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, type WorkerSession } from "../../harness/worker.ts";
import { approvalsStage } from "./approvals-stage.ts";

const { worker, site, person } = await approvalsStage(({ origin }) => [
  `submit:${origin}/*`,
  `navigate:${origin}/1`,
]);
const guarded = site.route((_request, response) =>
  response.setHeader("content-type", "text/html").end("<h1>Guarded</h1>"),
);

/** An address that counts what it is sent. */
function target() {
  const to = site.route((_request, response) =>
    response.setHeader("access-control-allow-origin", "*").end("done"),
  );
  return { to, sent: () => site.count(to) };
}

/** Serves a script. */
const script = (text: string) =>
  site.route((_request, response) => response.setHeader("content-type", "text/javascript").end(text));

const button = (onclick: string) => `<button onclick="${onclick}">Go</button>`;

const WAYS: Record<string, (to: string) => string> = {
  beacon: (to) => button(`navigator.sendBeacon('${to}', 'a')`),
  "a request that outlives its page": (to) =>
    button(`fetch('${to}', { method: 'POST', body: 'a', keepalive: true })`),
  "a form in a new tab": (to) => `<form method=post target=_blank action="${to}"><button>Go</button></form>`,
  "a frame of another site": (to) =>
    `<button onclick="frame.postMessage(1, '*')">Go</button><iframe name=frame src="${site.elsewhere(
      site.page(`<script>onmessage = () => fetch('${to}', { method: 'POST', mode: 'no-cors' })</script>`),
    )}"></iframe>`,
  "a worker": (to) => button(`new Worker('${script(`fetch("${to}", { method: "POST" })`)}')`),
  "a shared worker": (to) => button(`new SharedWorker('${script(`fetch("${to}", { method: "POST" })`)}')`),
  "a redirect that keeps the method": (to) =>
    button(`fetch('${site.elsewhere(site.redirect(to, 307))}', { method: 'POST', mode: 'no-cors' })`),
  "another method": (to) => button(`fetch('${to}', { method: 'DELETE' })`),
  "an escaped path": (to) => button(`fetch('${to.replace(/\/(\d)(\d*)$/, "/%3$1$2")}', { method: 'POST' })`),
};

for (const [way, page] of Object.entries(WAYS))
  test(`${way} is held until a person denies it, and sends nothing`, async () => {
    await using session = worker.session();
    const { to, sent } = target();
    const ref = refOf(await session.open(site.page(page(to))), "Go");
    const clicking = session.call("browser_click", { ref });
    const { id, what } = await person.asked();
    assert.match(what, /^(?:POST|DELETE) http:/);
    assert.ok(await person.decide(id, { deny: true }));
    await person.ended();
    assert.equal((await clicking).error?.type, "APPROVAL_DENIED");
    assert.equal(sent(), 0);
  });

test("a page that wants a thousand things has five of them wait", async () => {
  await using session = worker.session();
  const { to, sent } = target();
  const many = button(
    `for (let i = 0; i < 1000; i++) fetch('${to}?' + i, { method: 'POST' }).catch(() => 0)`,
  );
  const ref = refOf(await session.open(site.page(many)), "Go");
  await session.refuse("APPROVAL_PENDING", "browser_click", { ref }, { deadlineMs: 10_000 });
  const asked: Awaited<ReturnType<typeof person.asked>>[] = [];
  for (let index = 0; index < 5; index++) asked.push(await person.asked());
  for (const { id } of asked) {
    assert.ok(await person.decide(id));
    await person.ended();
  }
  await session.call("browser_wait_for", { time: 20 });
  assert.equal(sent(), 5);
});

test("the same request a hundred times waits once, and is sent once", async () => {
  await using session = worker.session();
  const { to, sent } = target();
  const many = button(`for (let i = 0; i < 100; i++) fetch('${to}', { method: 'POST' }).catch(() => 0)`);
  const ref = refOf(await session.open(site.page(many)), "Go");
  const clicking = session.do("browser_click", { ref });
  await person.approves();
  await clicking;
  assert.equal(sent(), 1);
});

test("what waits is given up with its tab, and with its session", async () => {
  const { to, sent } = target();
  for (const end of ["tab", "session"]) {
    await using session = worker.session();
    await beginAndLeave(session, button(`fetch('${to}', { method: 'POST' })`));
    const { id } = await person.asked();
    if (end === "tab") {
      const closing = session.call("browser_tabs", { action: "close" }, { deadlineMs: 10_000 });
      assert.equal((await closing).error?.type, "APPROVAL_PENDING");
    }
    await worker.endSession(session.id);
    const { outcome } = await person.ended();
    assert.equal(outcome, "APPROVAL_OUTCOME_GIVEN_UP");
    assert.equal(await person.decide(id), false);
  }
  assert.equal(sent(), 0);
});

test("a request that its page aborts waits no more", async () => {
  await using session = worker.session();
  const { to, sent } = target();
  const page = `<script>const stop = new AbortController()</script>${button(
    `fetch('${to}', { method: 'POST', signal: stop.signal }).catch(() => 0); setTimeout(() => stop.abort(), 500)`,
  )}`;
  const ref = refOf(await session.open(site.page(page)), "Go");
  const clicking = session.do("browser_click", { ref });
  await person.asked();
  assert.equal((await person.ended()).outcome, "APPROVAL_OUTCOME_GIVEN_UP");
  assert.match((await clicking).text, /Its page has given up what waited for approval: POST/);
  assert.equal(sent(), 0);
});

test("a page that is opened from elsewhere waits, and its own links do not", async () => {
  await using session = worker.session();
  assert.equal(guarded, `${site.origin}/1`);
  const opening = session.refuse("APPROVAL_DENIED", "browser_navigate", { url: guarded });
  const { id, what } = await person.asked();
  assert.equal(what, `GET ${guarded}`);
  assert.ok(await person.decide(id, { deny: true }));
  await person.ended();
  await opening;
  assert.equal(site.count(guarded), 0);
  const again = session.refuse(
    "APPROVAL_PENDING",
    "browser_navigate",
    { url: guarded },
    { deadlineMs: 10_000 },
  );
  const waiting = await person.asked();
  await again;
  assert.ok(await person.decide(waiting.id));
  await person.ended();
  assert.match((await session.do("browser_wait_for", { time: 20 })).text, /Guarded/);
  assert.match((await session.do("browser_reload")).text, /Guarded/);
  assert.equal(site.count(guarded), 2);
});

/** Clicks with little time, so that the call ends while its request waits. */
async function beginAndLeave(session: WorkerSession, html: string): Promise<void> {
  const ref = refOf(await session.open(site.page(html)), "Go");
  await session.refuse("APPROVAL_PENDING", "browser_click", { ref }, { deadlineMs: 10_000 });
}
