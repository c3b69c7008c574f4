// Mishaps around a take-over: people at the same time, thieves, hostile sites, and pages that ask on and on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startPerson } from "../../harness/browser/person.ts";
import { openLink, Person } from "../../harness/browser/person-at-work.ts";
import { shared } from "../../harness/shared.ts";
import { AT, HERE, SESSION, takeOverStage } from "./take-over-stage.ts";

const stage = shared(await takeOverStage());
const { agent, site } = stage;
const browser = shared(await startPerson());

test("two people who open one link at once: one has the session, the other is told", async () => {
  await stage.open("<h1>One link</h1>");
  const link = await stage.link();
  const opened = await Promise.all([openLink(link), openLink(link)]);
  assert.deepEqual(opened.map(({ status }) => status).toSorted(), [200, 410]);
  await stage.ask("HandBack", { session: SESSION });
});

test("two people with a link each at once: one has the session, and the other's link opens later", async () => {
  await stage.open("<h1>Two links</h1>");
  const links = [await stage.link(), await stage.link()];
  const opened = await Promise.all(links.map((link) => openLink(link)));
  assert.deepEqual(opened.map(({ status }) => status).toSorted(), [200, 409]);
  await stage.ask("HandBack", { session: SESSION });
  await using second = await Person.takeOver(links[opened.findIndex(({ status }) => status === 409)] ?? "");
  await second.handBack();
});

test("a stolen link: its owner sees that it was opened, and an operator takes the session back", async () => {
  await stage.open("<h1>Stolen</h1>");
  const link = await stage.link();
  await using thief = await Person.takeOver(link);
  assert.equal((await openLink(link)).status, 410);
  await stage.ask("HandBack", { session: SESSION });
  assert.equal(await thief.ends(), "handed-back");
  thief.state = undefined;
  thief.reconnect();
  await using owner = await stage.person();
  await owner.handBack();
  assert.equal(thief.state, undefined, "the thief's cookie shows nothing more");
});

test("a site that frames the person's page shows nothing of it, and its link stays unopened", async () => {
  await stage.open("<h1>Framed</h1>");
  const link = await stage.link();
  const page = await browser.open(site.page(`<h1>Win a prize</h1><iframe src="${link}"></iframe>`));
  await page.waitForLoadState("load");
  const [, framed] = page.frames();
  assert.match(framed?.url() ?? "", /^chrome-error:/);
  await page.close();
  await using person = await Person.takeOver(link);
  await person.handBack();
});

test("of what a person types without end into a page that hangs, a part is kept, and nothing breaks", async () => {
  const workerPid = async () => (await stage.ask("GetRole", { name: "visitor" })).ok?.role?.workerPid;
  const held = site.hold();
  await stage.open(`<button style="${HERE}" onclick="alert('First'); hang()">Hang</button><input id=field><p id=out></p><script>
    let count = 0;
    field.oninput = () => { out.textContent = ++count > 1_000 ? "far too much" : count > 900 ? "much" : "" };
    const hang = () => {
      field.focus();
      const request = new XMLHttpRequest();
      request.open("GET", "${held.url}", false);
      request.send();
    };</script>`);
  const pid = await workerPid();
  await using person = await stage.person();
  person.click(...AT);
  await person.sees(({ dialog }) => dialog?.text === "First", "the dialog");
  person.send({ dialog: { accept: true, text: "" } });
  // After this state no other comes by itself.
  await person.sees(({ dialog }) => dialog === null, "the closed dialog");
  await held.asked();
  for (let n = 0; n < 4_000; n++) person.send({ text: { text: n % 1_000 === 0 ? "x".repeat(9_900) : "x" } });
  // The answer to the last message shows that the others have arrived.
  person.state = undefined;
  person.send({ view: { width: 1_280, height: 720 } });
  await person.sees(() => true, "the state after the last input");
  held.release("");
  await person.handBack();
  await agent.text("browser_wait_for", { text: "much" });
  assert.doesNotMatch(await agent.text("browser_snapshot", { full: true }), /far too much/);
  assert.equal(await workerPid(), pid);
});

test("a page that asks on and on keeps the session from nobody: an open dialog is the agent's", async () => {
  await stage.open(
    `<button style="${HERE}" onclick="for (let n = 1; n <= 50; n++) alert('Number ' + n)">Ask</button>`,
  );
  await using person = await stage.person();
  person.click(...AT);
  for (const text of ["Number 1", "Number 2"]) {
    await person.sees(({ dialog }) => dialog?.text === text, text);
    person.send({ dialog: { accept: true, text: "" } });
  }
  await person.sees(({ dialog }) => dialog?.text === "Number 3", "the third dialog");
  await person.handBack();
  const { error } = await agent.call("browser_snapshot");
  assert.equal(error?.type, "DIALOG_OPEN");
  await stage.ask("CloseSession", { session: SESSION });
});
