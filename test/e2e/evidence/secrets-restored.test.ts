// A worker is killed after a secret was typed by hand. The next one restores the page, which still shows it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { CallEvidence } from "../../../proto/gen/troupe.ts";
import { startPerson } from "../../harness/browser/person.ts";
import { Person } from "../../harness/browser/person-at-work.ts";
import { testClient } from "../../harness/daemon.ts";
import { shared } from "../../harness/shared.ts";
import { type Agent, refOf, startTroupe } from "../../harness/troupe.ts";
import { until } from "../../harness/within.ts";
import { serveSite } from "../../site/serve.ts";
import { AT, HERE } from "../takeover/take-over-stage.ts";
import { coloursIn } from "./colours.ts";

const TIME = { timeout: 180_000 };
const site = shared(await serveSite());
const viewer = shared(await startPerson());
const troupe = shared(
  await startTroupe({ roles: { recorded: { record: true, startUrl: `${site.origin}/` } } }),
);
const control = testClient(troupe.address);

/** Keeps what is typed, and shows it in red from then on. */
const keeping = () =>
  site.page(`<title>Vault</title><body style="margin: 0"><p style="background: #0f0; height: 90px; margin: 0">Here</p>
  <input type=password aria-label=Password style="${HERE}">
  <p id=out style="color: #f00; font: 900 60px monospace; position: fixed; top: 200px"></p><script>
    const show = () => { out.textContent = localStorage.typed ?? ""; };
    document.querySelector("input").addEventListener("input", ({ target }) => { localStorage.typed = target.value; show(); });
    show();
  </script>`);

async function killWorker(): Promise<void> {
  const { ok } = await control.ask("GetRole", { name: "recorded" });
  process.kill(Number(ok?.role?.workerPid), "SIGKILL");
}

/** Lets the agent meet the restart. */
async function restarted(agent: Agent): Promise<void> {
  await killWorker();
  const { error } = await agent.call("browser_snapshot");
  assert.equal(error?.type, "WORKER_RESTARTED");
}

/** Resolves with the evidence of the session's last call, with its picture. */
async function lastEvidence(session: string): Promise<CallEvidence> {
  return await until(
    async () => {
      const last = (await control.ask("ReadEvidence", { session })).ok?.calls.at(-1);
      return last?.seen && last.picture ? last : undefined;
    },
    "the evidence is whole",
    30_000,
  );
}

async function assertHidden(session: string, secret: string): Promise<void> {
  const { picture, ...rest } = await lastEvidence(session);
  assert.ok(!JSON.stringify(rest).includes(secret), JSON.stringify(rest));
  const { red, green } = await coloursIn(viewer, Buffer.from(picture?.image ?? []));
  assert.equal(red, 0);
  assert.ok(green > 10_000, `${green} green pixels`);
}

/** The bytes of all files that the daemon keeps, and its log. */
function keptText(): string {
  const files = readdirSync(troupe.stateDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)).toString("latin1"));
  return [...files, ...troupe.output.all].join("\n");
}

test("what a person typed stays masked in a worker that restores its session", TIME, async () => {
  const secret = "Kx7-quiet-Otter";
  await using agent = await troupe.agent("--role", "recorded", "--session", "persons");
  await agent.text("browser_navigate", { url: keeping() });
  const { ok } = await control.ask("TakeOver", { session: "persons" });
  await using person = await Person.takeOver(ok?.url ?? "");
  person.click(...AT);
  person.type(secret);
  await person.handBack();
  // Its reply comes when the page's storage is kept.
  await agent.text("browser_press_key", { key: "Tab" });
  for (const _again of [1, 2]) {
    await restarted(agent);
    const text = await agent.text("browser_snapshot", { full: true });
    assert.match(text, /•••/);
    assert.ok(!text.includes(secret), text);
    await assertHidden("persons", secret);
  }
  assert.ok(!keptText().includes(secret));
});

test("what a person was about to type when the worker was killed stays masked", TIME, async () => {
  const secret = "Kx7-hasty-Otter";
  await using agent = await troupe.agent("--role", "recorded", "--session", "hasty");
  const got = Promise.withResolvers<string>();
  let shown = "";
  const heard = site.route((request, response) => {
    const value = new URL(request.url ?? "", site.origin).searchParams.get("value") ?? "";
    // The requests may come in another order.
    if (value.length > shown.length) shown = value;
    response.end();
    if (shown === secret) got.resolve(shown);
  });
  const page = site.route((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<title>Echo</title><input type=password style="${HERE}" oninput="fetch('${heard}?value=' + this.value)">
      <p>Got ${shown}</p>`);
  });
  await agent.text("browser_navigate", { url: page });
  const { ok } = await control.ask("TakeOver", { session: "hasty" });
  await using person = await Person.takeOver(ok?.url ?? "");
  person.click(...AT);
  person.type(secret);
  await got.promise;
  await restarted(agent);
  const text = await agent.text("browser_snapshot", { full: true });
  assert.match(text, /Got •••/);
  assert.ok(!text.includes(secret), text);
});

test("what an agent typed stays hidden in evidence and exports of the next worker", TIME, async () => {
  const secret = "correct-horse-44";
  await using agent = await troupe.agent("--role", "recorded", "--session", "agents");
  const opened = await agent.text("browser_navigate", { url: keeping() });
  await agent.text("browser_type", { ref: refOf(opened, "textbox", "Password"), text: secret });
  await restarted(agent);
  const text = await agent.text("browser_snapshot", { full: true });
  assert.ok(text.includes(secret), "the agent's own text is masked from the agent");
  await assertHidden("agents", secret);
  const { ok } = await control.ask("ExportSession", { session: "agents", as: "EXPORT_FORMAT_STEPS" });
  assert.ok(!JSON.stringify(ok).includes(secret));
  assert.ok(!keptText().includes(secret));
});

test("what an agent was typing when the worker was killed stays hidden", TIME, async () => {
  const secret = "correct-horse-45";
  await using agent = await troupe.agent("--role", "recorded", "--session", "midway");
  const got = Promise.withResolvers<void>();
  let shown = "nothing";
  // The page hangs in its request, so the call does not end.
  const heard = site.route((request) => {
    shown = new URL(request.url ?? "", site.origin).searchParams.get("value") ?? "";
    got.resolve();
  });
  const page = site.route((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<title>Echo</title><input type=password aria-label=Password oninput="const asked = new XMLHttpRequest();
      asked.open('GET', '${heard}?value=' + this.value, false); asked.send()"><p>Got ${shown}</p>`);
  });
  const opened = await agent.text("browser_navigate", { url: page });
  const typing = agent.call("browser_type", { ref: refOf(opened, "textbox", "Password"), text: secret });
  await got.promise;
  await killWorker();
  assert.equal((await typing).isError, true);
  assert.match(await agent.text("browser_snapshot", { full: true }), /Got correct-horse-45/);
  const { seen } = await lastEvidence("midway");
  assert.match(seen?.reply ?? "", /Got •••/);
  assert.ok(!JSON.stringify(seen).includes(secret));
});
