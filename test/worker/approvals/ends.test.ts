// Tests waits that end without a person: by time, or because their page goes on by itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, startWorker } from "../../harness/worker.ts";
import { approvalsStage, Person } from "./approvals-stage.ts";

const { worker, site, person } = await approvalsStage(({ origin }) => [`submit:${origin}/*`]);

function target() {
  const to = site.route((_request, response) => response.end("done"));
  return { to, sent: () => site.count(to) };
}

test("what nobody decides about in time is refused, and cannot be approved any more", async () => {
  await using hasty = await startWorker({ approve: [`submit:${site.origin}/*`], approvalTimeMs: 1_000 });
  const nobody = new Person(hasty);
  await using session = hasty.session();
  const { to, sent } = target();
  const page = site.page(`<button onclick="fetch('${to}', { method: 'POST' })">Go</button>`);
  const ref = refOf(await session.open(page), "Go");
  const denied = await session.refuse("APPROVAL_DENIED", "browser_click", { ref });
  assert.match(denied.text, /Decided by: nobody/);
  const { id } = await nobody.asked();
  assert.equal((await nobody.ended()).outcome, "APPROVAL_OUTCOME_EXPIRED");
  assert.equal(await nobody.decide(id), false);
  assert.equal(sent(), 0);
});

const LEAVING: Record<string, (to: string, next: string) => string> = {
  "a fetch": (to, next) =>
    `fetch('${to}', { method: 'POST' }); setTimeout(() => { location = '${next}' }, 300)`,
  "a form": (to, next) =>
    `document.forms[0].action = '${to}'; document.forms[0].submit(); setTimeout(() => { location = '${next}' }, 300)`,
};

for (const [way, leaving] of Object.entries(LEAVING))
  test(`${way} whose page goes elsewhere is given up, and the reply shows the next page`, async () => {
    await using session = worker.session();
    const { to, sent } = target();
    const next = site.page("<h1>Elsewhere</h1>");
    const page = site.page(`<form method=post></form><button onclick="${leaving(to, next)}">Go</button>`);
    const ref = refOf(await session.open(page), "Go");
    const clicking = session.do("browser_click", { ref });
    const { id } = await person.asked();
    assert.equal((await person.ended()).outcome, "APPROVAL_OUTCOME_GIVEN_UP");
    const { text } = await clicking;
    assert.match(text, /Elsewhere/);
    assert.match(text, /Its page has given up what waited for approval: POST/);
    assert.equal(await person.decide(id), false);
    assert.equal(sent(), 0);
  });

test("a second press on a form's button replaces the first one's request, which is sent once", async () => {
  await using session = worker.session();
  const { to, sent } = target();
  const twice = "document.forms[0].requestSubmit(); setTimeout(() => document.forms[0].requestSubmit(), 300)";
  const page = site.page(`<form method=post action="${to}"></form><button onclick="${twice}">Go</button>`);
  const ref = refOf(await session.open(page), "Go");
  const pending = session.refuse("APPROVAL_PENDING", "browser_click", { ref }, { deadlineMs: 10_000 });
  await person.asked();
  assert.equal((await person.ended()).outcome, "APPROVAL_OUTCOME_GIVEN_UP");
  await pending;
  await person.approves();
  assert.match((await session.do("browser_wait_for", { time: 20 })).text, /done/);
  assert.equal(sent(), 1);
});

test("a page that waits for its request without a break is not stopped, and goes on once it is approved", async () => {
  await using session = worker.session();
  const { to, sent } = target();
  const blocking = `const x = new XMLHttpRequest(); x.open('POST', '${to}', false); x.send(); document.body.append('Over')`;
  const ref = refOf(await session.open(site.page(`<button onclick="${blocking}">Go</button>`)), "Go");
  await session.refuse("APPROVAL_PENDING", "browser_click", { ref }, { deadlineMs: 10_000 });
  await person.approves();
  assert.match((await session.do("browser_wait_for", { time: 20 })).text, /Over/);
  assert.equal(sent(), 1);
});
