// Tests origins whose pages may only be looked at.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { shared } from "../../harness/shared.ts";
import { refOf, startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

// The site is two for browsers: pages of the one are read-only, those of the other are not.
const site = shared(await serveSite());
const worker = shared(
  await startWorker({
    allow: [site.origin, site.otherOrigin],
    readOnly: [site.origin],
    evaluate: true,
  }),
);

/** An address that counts what it is sent. */
function target() {
  const to = site.route((_request, response) =>
    response.setHeader("access-control-allow-origin", "*").end("done"),
  );
  return { to, sent: () => site.count(to) };
}

test("a page of a read-only origin is read, and its links are followed by their addresses", async () => {
  await using session = worker.session();
  const next = site.page("<h1>Next</h1>");
  const page = await session.open(site.page(`<h1>Wiki</h1><a href="${next}">Next</a>`));
  assert.match(page, /Wiki/);
  await session.do("browser_scroll", { direction: "down" });
  const refused = await session.refuse("PERMISSION_DENIED", "browser_click", { ref: refOf(page, "link") });
  assert.match(refused.text, /may only look at pages of this origin/);
  assert.match(refused.text, /browser_navigate/);
  assert.match(await session.open(next), /Next/);
});

const ACTING: Record<string, JsonObject> = {
  browser_type: { ref: "e1", text: "a" },
  browser_press_key: { key: "Enter" },
  browser_evaluate: { function: "() => 1" },
  browser_steps: { steps: [{ click: { ref: "e1" } }] },
};

for (const [tool, args] of Object.entries(ACTING))
  test(`${tool} does nothing on a read-only origin`, async () => {
    await using session = worker.session();
    await session.open(site.page("<input autofocus aria-label=Name>"));
    await session.refuse("PERMISSION_DENIED", tool, args);
    assert.doesNotMatch(await session.read(), /: a/);
  });

const WAYS: Record<string, (to: string) => string> = {
  "a form": (to) => `<form method=post action="${to}"></form><script>document.forms[0].submit()</script>`,
  "a fetch": (to) =>
    `<script>fetch("${to}", { method: "POST" }).catch(() => document.body.append("refused"))</script>`,
  "a beacon": (to) => `<script>navigator.sendBeacon("${to}", "a")</script>`,
  "a frame without an address": (to) =>
    `<iframe srcdoc="<script>fetch('${to}', { method: 'POST' })</script>"></iframe>`,
  "a worker": (to) =>
    `<script>new Worker(URL.createObjectURL(new Blob(["fetch('${to}', { method: 'POST' })"])))</script>`,
};

for (const [way, page] of Object.entries(WAYS))
  test(`${way} of a read-only origin's page sends nothing, there or elsewhere`, async () => {
    await using session = worker.session();
    const [here, there] = [target(), target()];
    await session.call("browser_navigate", { url: site.page(page(here.to)) });
    await session.call("browser_navigate", { url: site.page(page(site.elsewhere(there.to))) });
    await session.do("browser_wait_for", { time: 1 });
    assert.deepEqual([here.sent(), there.sent()], [0, 0]);
  });

test("a page of another origin sends nothing to a read-only one, and all else goes on", async () => {
  await using session = worker.session();
  const [readOnly, other] = [target(), target()];
  const page = site.elsewhere(
    site.page(`<button onclick="fetch('${readOnly.to}', { method: 'POST' }).catch(() => document.body.append('no'))">Send</button>
      <button onclick="fetch('${site.elsewhere(other.to)}', { method: 'POST' }).then(() => document.body.append('sent'))">Keep</button>`),
  );
  const text = await session.open(page);
  assert.match((await session.do("browser_click", { ref: refOf(text, "Send") })).text, /no/);
  assert.match((await session.do("browser_click", { ref: refOf(text, "Keep") })).text, /sent/);
  assert.deepEqual([readOnly.sent(), other.sent()], [0, 1]);
});

test("a read-only origin's document has no sockets", async () => {
  await using session = worker.session();
  const page = "<p id=p></p><script>p.textContent = typeof WebSocket + ' ' + typeof WebTransport</script>";
  assert.match(await session.open(site.page(page)), /undefined undefined/);
  assert.match(await session.open(site.elsewhere(site.page(page))), /function/);
});
