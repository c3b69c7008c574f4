// A person takes a session over from its agent, works in it, and hands it back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person } from "../../harness/browser/person-at-work.ts";
import { shared } from "../../harness/shared.ts";
import { AT, HERE, SESSION, takeOverStage } from "./take-over-stage.ts";

const stage = shared(await takeOverStage({ takeover: { grace: "1s" } }));
const { agent, site } = stage;

const MOVE = { type: "move", x: 0, y: 10, button: "none", buttons: 0, clicks: 0, modifiers: 0 };

test("a person clicks in an agent's session and hands it back; the agent is told both", async () => {
  await stage.open(
    `<h1>Before</h1><button style="${HERE}" onclick="document.querySelector('h1').textContent = 'Pressed'">Press</button>`,
  );
  await using person = await stage.person();
  await person.seesPicture();
  assert.equal(person.frame?.bytes.subarray(0, 3).toString("hex"), "ffd8ff");
  const told = await agent.call("browser_click", { ref: "e1" });
  assert.equal(told.error?.type, "PERSON_AT_WORK", told.text);
  assert.equal(told.error.recoverable, true);
  assert.ok((told.error.retry?.afterMs ?? 0) > 0);
  assert.match(await agent.text("list_current_roles"), /visitor \(current\)/);
  assert.doesNotMatch(await agent.text("browser_console_messages"), /❌/);
  person.click(...AT);
  await person.handBack();
  const after = await agent.text("browser_snapshot");
  assert.match(after, /^A person has worked in this session and handed it back/);
  assert.match(after, /heading "Pressed"/);
  assert.doesNotMatch(await agent.text("browser_snapshot"), /A person/);
});

test("an action after the hand-back reports what the person changed first", async () => {
  const page = await stage.open(
    `<h1>Before</h1><button style="${HERE}" onclick="document.querySelector('h1').textContent = 'By hand'">Press</button><button onclick="document.title = 'By the agent'">Go</button>`,
  );
  const ref = /button "Go" \[ref=(\w+)\]/.exec(page)?.[1] ?? "";
  await using person = await stage.person();
  person.click(...AT);
  await person.handBack();
  const after = await agent.text("browser_click", { ref });
  assert.match(after, /A person has worked[\s\S]*heading "By hand"[\s\S]*Clicked/);
});

test("input that is under way when the person hands back does not keep the session from its agent", async () => {
  await stage.open("<h1>Late</h1>");
  await using person = await stage.person();
  const moves = Array.from({ length: 20 }, (_, x) => ({ pointer: { ...MOVE, x } }));
  person.sendTogether(...moves, { handBack: true }, { shown: { number: 1 } }, ...moves);
  assert.equal(await person.ends(), "handed-back");
  assert.match(await agent.text("browser_snapshot", { full: true }), /heading "Late"/);
});

test("a person's page that changes its size gets pictures in the new size", async () => {
  await stage.open("<h1>Turned</h1>");
  await using person = await stage.person();
  await person.seesPicture();
  for (const [width, height] of [
    [390, 844],
    [844, 390],
  ])
    person.send({ view: { width, height } });
  await person.seesPicture(({ height }) => height === 390);
  await person.handBack();
  assert.match(await agent.text("browser_snapshot", { full: true }), /heading "Turned"/);
});

test("a call waits a while for the person, and goes on when the session is handed back", async () => {
  await stage.open("<h1>Waiting</h1>");
  await using person = await stage.person();
  const waiting = agent.text("browser_snapshot", { full: true });
  await person.handBack();
  assert.match(await waiting, /heading "Waiting"/);
});

test("a call that is under way when the person comes is broken off after a while", async () => {
  await stage.open("<h1>Long</h1>");
  const waiting = agent.call("browser_wait_for", { text: "Never", time: 20 });
  await using person = await stage.person();
  const { error } = await waiting;
  assert.equal(error?.type, "PERSON_AT_WORK");
  await person.handBack();
});

test("the person types, sends a form, goes back, and follows a popup", async () => {
  const popup = site.page("<title>Popup</title><h1>Popup</h1>");
  await stage.open(
    `<title>Form</title><form onsubmit="event.preventDefault(); document.title = this.q.value; window.open('${popup}')"><input name=q style="${HERE}"></form>`,
  );
  await using person = await stage.person();
  person.click(...AT);
  person.type("hel");
  person.send({ text: { text: "lø" } });
  person.press("Enter");
  await person.sees(
    ({ tabs }) => tabs.some(({ title, current }) => title === "Popup" && current),
    "the popup",
  );
  const first = person.state?.tabs.find(({ current }) => !current);
  assert.equal(first?.title, "hellø");
  person.send({ tab: { id: first.id } });
  await person.sees(
    ({ tabs }) => tabs.some(({ id, current }) => id === first.id && current),
    "the first tab",
  );
  await person.handBack();
  assert.match(await agent.text("browser_tabs", { action: "list" }), /\(current\) "hellø"/);
});

test("dialogs of the page are answered by the person", async () => {
  await stage.open(
    `<h1>?</h1><button style="${HERE}" onclick="document.querySelector('h1').textContent = prompt('Your name') + confirm('Sure') + alert('Done')">Ask</button>`,
  );
  await using person = await stage.person();
  person.click(...AT);
  await person.sees(({ dialog }) => dialog?.type === "prompt", "the prompt");
  const refused = await agent.call("browser_handle_dialog", { accept: true });
  assert.equal(refused.error?.type, "PERSON_AT_WORK", refused.text);
  person.send({ dialog: { accept: true, text: "Ada" } });
  await person.sees(({ dialog }) => dialog?.type === "confirm", "the confirmation");
  person.send({ dialog: { accept: false, text: "" } });
  await person.sees(({ dialog }) => dialog?.text === "Done", "the alert");
  person.send({ dialog: { accept: true, text: "" } });
  await person.sees(({ dialog }) => dialog === null, "no dialog");
  await person.handBack();
  assert.match(await agent.text("browser_snapshot", { full: true }), /heading "Adafalseundefined"/);
});

test("two people: the second is told, and can open the link once the first has left", async () => {
  await stage.open("<h1>Two</h1>");
  const link = await stage.link();
  await using first = await stage.person();
  await assert.rejects(Person.takeOver(link), /409|taken/);
  await first.handBack();
  await using second = await Person.takeOver(link);
  await second.handBack();
});

test("a lost network keeps the session for a while, and the page connects again", async () => {
  await stage.open(`<h1>Lost</h1>`);
  await using person = await stage.person();
  person.vanish();
  person.state = undefined;
  person.reconnect();
  await person.sees(({ isReady }) => isReady, "the session is still the person's");
  await person.seesPicture();
  const told = await agent.call("browser_snapshot");
  assert.equal(told.error?.type, "PERSON_AT_WORK");
  person.vanish();
  await stage.troupe.output.have('"why":"lost"');
  assert.match(await agent.text("browser_snapshot"), /A person has worked/);
});

test("an operator sees who has a session, and hands it back", async () => {
  await stage.open("<h1>Operated</h1>");
  const personSince = async () =>
    (await stage.ask("ListSessions", {})).ok?.sessions.find(({ id }) => id === SESSION)?.roles[0]
      ?.personSince;
  assert.equal(await personSince(), null);
  await using person = await stage.person();
  assert.ok(Math.abs(Number((await personSince())?.seconds) * 1000 - Date.now()) < 60_000);
  const { ok } = await stage.ask("HandBack", { session: SESSION });
  assert.equal(ok?.wasAtWork, true);
  assert.equal(await person.ends(), "handed-back");
  assert.equal(await personSince(), null);
  assert.equal((await stage.ask("HandBack", { session: SESSION })).ok?.wasAtWork, false);
});

test("a restart of the role sends the person away, and the agent's waiting call gets its answer", async () => {
  await stage.open("<h1>Restarted</h1>");
  await using person = await stage.person();
  const waiting = agent.text("browser_snapshot", { full: true });
  while ((await stage.ask("GetStatus", {})).ok?.callsUnderWay === 0);
  const { ok, error } = await stage.ask("RestartRole", { name: "visitor" });
  assert.equal(ok?.role?.state, "ROLE_STATE_READY", JSON.stringify(error));
  assert.equal(await person.ends(), "restart");
  assert.match(await waiting, /heading "Restarted"/);
});

test("a worker that dies ends the turn, and the person is told", async () => {
  await stage.open("<h1>Dies</h1>");
  await using person = await stage.person();
  const { ok } = await stage.ask("GetRole", { name: "visitor" });
  process.kill(Number(ok?.role?.workerPid), "SIGKILL");
  assert.equal(await person.ends(), "worker");
  const { error } = await agent.call("browser_snapshot");
  assert.equal(error?.type, "WORKER_RESTARTED");
});
