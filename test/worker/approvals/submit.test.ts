// Tests requests that wait for a person: whatever the page sends them by, they are sent once, or not at all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf } from "../../harness/worker.ts";
import { approvalsStage } from "./approvals-stage.ts";

const { worker, site, person } = await approvalsStage(({ origin }) => [`submit:${origin}/*`]);

/** A page of an address that counts what it is sent. */
function bank(script: (to: string) => string) {
  const to = site.route((request, response) => {
    if (request.method === "GET") response.end("asked");
    else response.setHeader("content-type", "text/html").end("<h1>Transferred</h1>");
  });
  return { to, page: site.page(`<title>Bank</title><h1>Bank</h1>${script(to)}`), sent: () => site.count(to) };
}

const WAYS = {
  "a form": (to: string) =>
    `<form method=post action="${to}"><input name=amount value=5><button>Pay</button></form>`,
  "a fetch": (to: string) =>
    `<button onclick="fetch('${to}', { method: 'POST', body: 'amount=5' }).then((r) => r.text()).then((t) => document.body.append(t), () => document.body.append('It failed'))">Pay</button>`,
};

for (const [way, script] of Object.entries(WAYS)) {
  test(`${way} that is approved in time is sent once, and the click's reply shows what came of it`, async () => {
    await using session = worker.session();
    const { page, sent } = bank(script);
    const ref = refOf(await session.open(page), "Pay");
    const clicking = session.do("browser_click", { ref });
    const approval = await person.asked();
    assert.equal(sent(), 0);
    assert.equal(await person.decide(approval.id), true);
    const { text } = await clicking;
    assert.match(text, /Transferred/);
    assert.match(text, /Approved by ann: POST http/);
    assert.equal(sent(), 1);
    await person.ended();
  });

  test(`${way} that nobody approves in the call's time waits, and is sent once`, async () => {
    await using session = worker.session();
    const { page, sent } = bank(script);
    const ref = refOf(await session.open(page), "Pay");
    const pending = await session.refuse(
      "APPROVAL_PENDING",
      "browser_click",
      { ref },
      { deadlineMs: 10_000 },
    );
    assert.equal(sent(), 0);
    assert.match(pending.text, /browser_wait_for\(time: \d+\)/);
    const waiting = session.do("browser_wait_for", { time: 20 });
    await person.approves();
    const { text } = await waiting;
    assert.match(text, /Transferred/);
    assert.match(text, /Approved by ann: POST http/);
    assert.equal(sent(), 1);
    assert.match(await session.read(), /Transferred/);
    assert.equal(sent(), 1);
  });

  test(`${way} that was approved meanwhile is not sent again by the same call`, async () => {
    await using session = worker.session();
    const { page, sent } = bank(script);
    const ref = refOf(await session.open(page), "Pay");
    await session.refuse("APPROVAL_PENDING", "browser_click", { ref }, { deadlineMs: 10_000 });
    const again = session.do("browser_click", { ref });
    await person.approves();
    const { text } = await again;
    assert.match(text, /browser_click was carried out before, so it was not carried out again/);
    assert.match(text, /Transferred/);
    assert.equal(sent(), 1);
  });

  test(`${way} that is denied is not sent, and the call says who denied it`, async () => {
    await using session = worker.session();
    const { page, sent } = bank(script);
    const ref = refOf(await session.open(page), "Pay");
    const clicking = session.refuse("APPROVAL_DENIED", "browser_click", { ref });
    const approval = await person.asked();
    assert.equal(await person.decide(approval.id, { deny: true, by: "bob" }), true);
    const denied = await clicking;
    assert.match(denied.text, /bob/);
    assert.equal(denied.recoverable, false);
    await person.ended();
    assert.match(await session.read(), /Bank/);
    assert.equal(sent(), 0);
  });
}
