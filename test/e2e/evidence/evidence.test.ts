// Evidence from end to end: what a role with `record` keeps of each call, and the page that shows it anywhere.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { main } from "../../../client/cli/program.ts";
import { connect } from "../../../client/sdk/index.ts";
import type { CallEvidence } from "../../../proto/gen/troupe.ts";
import { faultsOf, overflowOf, startPerson } from "../../harness/browser/person.ts";
import { testClient } from "../../harness/daemon.ts";
import { shared } from "../../harness/shared.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";
import { until } from "../../harness/within.ts";
import { serveSite } from "../../site/serve.ts";
import { coloursIn } from "./colours.ts";

const TIME = { timeout: 180_000 };
const HOSTILE = `</title></h2><script>fetch("http://127.0.0.1:1/")</script><img src=x onerror="alert(1)">"'&\u202e`;
const site = shared(await serveSite());
const person = shared(await startPerson());
const troupe = shared(
  await startTroupe({
    roles: (shopUrl) => ({
      recorded: { record: true, mask: [".account"], startUrl: `${shopUrl}/` },
    }),
  }),
);
const control = testClient(troupe.address);

/** The daemon itself selects a role. */
function isWhole({ call, seen, picture }: CallEvidence): boolean {
  return call?.tool === "select_role" || Boolean(call && seen && picture);
}

/** Resolves with the evidence of a session once it has so many calls, each with a picture or the reason for none. */
async function evidenceOf(session: string, calls: number): Promise<CallEvidence[]> {
  return await until(
    async () => {
      const { ok } = await control.ask("ReadEvidence", { session });
      const all = ok?.calls ?? [];
      return all.length >= calls && all.every(isWhole) && all;
    },
    `evidence of ${calls} calls`,
    30_000,
  );
}

async function exported(session: string, ...flags: string[]) {
  const file = path.join(troupe.dir, `${session}.html`);
  let said = "";
  const print = (text: string) => {
    said += text;
  };
  const words = ["sessions", session, "--evidence", file, ...flags];
  const code = await main(words, {
    cwd: troupe.dir,
    env: { TROUPE_ADDRESS: troupe.address },
    print,
    complain: print,
  });
  return { code, said, file };
}

test(
  "each call of a recorded role leaves its arguments, its reply, a picture, and the plan of its failure",
  TIME,
  async () => {
    await using agent = await troupe.agent("--role", "recorded", "--session", "buyer");
    const product = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/product/42` });
    await evidenceOf("buyer", 1);
    await agent.text("browser_click", { ref: refOf(product, "button", "Add to cart") });
    await evidenceOf("buyer", 2);
    assert.equal((await agent.call("browser_click", { ref: "e9999" })).isError, true);
    const [opened, clicked, failed] = await evidenceOf("buyer", 3);
    assert.deepEqual(JSON.parse(opened?.seen?.arguments ?? ""), { url: `${troupe.shopUrl}/product/42` });
    assert.match(opened?.seen?.reply ?? "", /button "Add to cart"/);
    assert.equal(clicked?.seen?.element, 'button "Add to cart"');
    assert.match(clicked?.seen?.reply ?? "", /Added Linen Bowl to your cart/);
    assert.deepEqual(
      [clicked?.call?.tool, clicked?.call?.outcome, clicked?.plan],
      ["browser_click", "OK", ""],
    );
    for (const each of [opened, clicked]) {
      const image = Buffer.from(each?.picture?.image ?? []);
      assert.equal(image.subarray(8, 12).toString("latin1"), "WEBP");
      assert.ok(image.length < 40_000, `${image.length} bytes`);
    }
    assert.equal(failed?.call?.outcome, "UNKNOWN_REF");
    assert.match(failed?.plan ?? "", /e9999/);
    assert.equal(failed?.seen?.reply, "");
  },
);

test("nothing of it is in the state folder in plain text", TIME, async () => {
  await evidenceOf("buyer", 3);
  const all = readdirSync(troupe.stateDir).filter((name) => name.startsWith("evidence.db"));
  assert.ok(all.length > 0);
  const bytes = all.map((name) => readFileSync(path.join(troupe.stateDir, name), "latin1")).join();
  assert.doesNotMatch(bytes, /Add to cart|WEBP|e9999/);
});

test("a role without record leaves nothing, and the command says so", TIME, async () => {
  await using agent = await troupe.agent("--role", "visitor", "--session", "private");
  await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
  const { code, said } = await exported("private");
  assert.equal(code, 1);
  assert.match(said, /No evidence of a session "private" is kept: a role keeps it with record: true/);
});

test(
  "the exported page opens without any request, shows the calls, and takes hostile words as text",
  TIME,
  async () => {
    await using agent = await troupe.agent("--role", "recorded", "--session", "hostile");
    const escaped = HOSTILE.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    const url = site.page(
      `<title>${escaped}</title><button aria-label="${escaped}" onclick="p.textContent = 'Other words'">Go</button><p id="p">Plain words`,
    );
    const opened = await agent.text("browser_navigate", { url });
    await evidenceOf("hostile", 1);
    await agent.text("browser_click", { ref: /button [^\n]*\[ref=(\w+)\]/.exec(opened)?.[1] ?? "" });
    await agent.call("browser_click", { ref: HOSTILE.slice(0, 90) });
    await evidenceOf("hostile", 3);
    const { code, said, file } = await exported("hostile");
    assert.equal(code, 0, said);
    assert.match(said, /hostile\.html: 3 calls/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    for (const width of [360, 1440])
      for (const theme of ["light", "dark"] as const) {
        const page = await person.open("about:blank", { width, theme });
        const asked: string[] = [];
        page.on("request", (request) => asked.push(request.url()));
        await page.goto(pathToFileURL(file).href);
        await page.getByRole("heading", { name: /^1\. browser_navigate: OK/ }).waitFor();
        assert.deepEqual(await faultsOf(page), [], `${width} ${theme}`);
        assert.ok((await overflowOf(page)) <= 0);
        await page.keyboard.press("ArrowRight");
        await page.getByRole("heading", { name: /^2\. browser_click: OK/ }).waitFor();
        assert.equal(await page.getByRole("img", { name: "The page before call 2" }).isVisible(), true);
        assert.deepEqual(
          await page.evaluate(`[...document.querySelectorAll("img[src]")].map((each) => each.decode().then(() => each.naturalWidth > 0))
          .reduce(async (all, each) => [...(await all), await each], [])`),
          await page.evaluate(`[...document.querySelectorAll("img[src]")].map(() => true)`),
        );
        await page.keyboard.press("End");
        await page.getByRole("heading", { name: /^3\. browser_click/ }).waitFor();
        await page.getByRole("region", { name: "Plan" }).getByText("onerror=").waitFor();
        assert.deepEqual(
          asked.filter((each) => !each.startsWith("file:") && !each.startsWith("data:")),
          [],
        );
        assert.equal(await page.evaluate("document.querySelectorAll('script').length"), 1);
      }
    person.check();
  },
);

test("passwords and secrets are in no part of the evidence", TIME, async () => {
  await using agent = await troupe.agent("--role", "recorded", "--session", "secretive", "--profile", "full");
  const url = site.page(
    `<title>Login</title><form><label>User <input name="user"></label><label>Password <input type="password" id="p"></label>
     <button type="button" onclick="p.type = 'text'">Show</button></form>`,
  );
  const opened = await agent.text("browser_navigate", { url });
  const password = "correct-horse-42";
  await agent.text("browser_type", { ref: refOf(opened, "textbox", "User"), text: "Ada" });
  await agent.text("browser_type", { ref: refOf(opened, "textbox", "Password"), text: password });
  await agent.call("browser_type", { ref: "e888", text: password });
  await agent.text("browser_fill_form", {
    fields: [
      { ref: refOf(opened, "textbox", "User"), value: ["Bob"] },
      { ref: refOf(opened, "textbox", "Password"), value: [password] },
    ],
  });
  await agent.text("browser_click", { ref: refOf(opened, "button", "Show") });
  const all = await evidenceOf("secretive", 6);
  const words = JSON.stringify(all.map(({ picture: _picture, ...rest }) => rest));
  assert.doesNotMatch(words, new RegExp(password));
  const shown = all.map(({ seen }) => JSON.parse(seen?.arguments ?? "{}"));
  assert.equal(shown[1].text, "Ada");
  assert.equal(shown[2].text, "(secret)");
  assert.equal(shown[3].text, "(not kept)");
  assert.deepEqual(
    shown[4].fields.map(({ ref, text }: Record<string, unknown>) => [ref, text]),
    [
      ['textbox "User"', "Bob"],
      ['textbox "Password"', "(secret)"],
    ],
  );
});

test("a typed secret that a page repeats is in no plan and no address", TIME, async () => {
  await using agent = await troupe.agent("--role", "recorded", "--session", "repeated", "--profile", "full");
  const opened = await agent.text("browser_navigate", {
    url: site.page(
      `<title>Again</title><label>Password <input type="password" oninput="b.textContent = 'Go on as ' + this.value;
       over.hidden = false; history.replaceState(null, '', '/of/' + this.value)"></label><button id="b">Go on</button>
       <div id="over" hidden style="position: fixed; inset: 0; background: #0f08">Please wait</div>`,
    ),
  });
  const password = "correct-horse-43";
  await agent.text("browser_type", { ref: refOf(opened, "textbox", "Password"), text: password });
  const covered = await agent.call("browser_click", { ref: refOf(opened, "button", "Go on") });
  assert.equal(covered.isError, true);
  const all = await evidenceOf("repeated", 3);
  assert.match(all[2]?.plan ?? "", /Element Covered/);
  const words = JSON.stringify(all.map(({ picture: _picture, ...rest }) => rest));
  assert.doesNotMatch(words, new RegExp(password));
});

test("pictures hide fields for secrets and what the operator masks, and show the rest", TIME, async () => {
  await using agent = await troupe.agent("--role", "recorded", "--session", "masked");
  const block = (name: string, color: string) =>
    `<div class="${name}" style="background:${color};height:200px;transition:all 5s">${name}</div>`;
  const url = site.page(
    `<title>Account</title><body style="margin:0">${block("account", "#f00")}${block("plain", "#0f0")}
     <div id="host"></div><input type="password" id="p" aria-label="Code" style="background:#00f;width:100%;height:150px;border:0">
     <button onclick="p.type = 'text'">Show</button>
     <script>
       host.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(block("account", "#f00"))};
       seen = []; for (const each of ["transitionrun", "resize"]) addEventListener(each, () => seen.push(each));
     </script>`,
  );
  const opened = await agent.text("browser_navigate", { url });
  await evidenceOf("masked", 1);
  await agent.text("browser_type", { ref: refOf(opened, "textbox", "Code"), text: "secret-words" });
  const [, typed] = await evidenceOf("masked", 2);
  const image = Buffer.from(typed?.picture?.image ?? []);
  assert.ok(image.length > 0, String(typed?.picture?.missing));
  const colours = await coloursIn(person, image);
  assert.equal(colours.red, 0);
  assert.ok(colours.green > 10_000 && colours.blue > 5_000, JSON.stringify(colours));
  await agent.text("browser_click", { ref: refOf(opened, "button", "Show") });
  const revealed = await coloursIn(
    person,
    Buffer.from((await evidenceOf("masked", 3))[2]?.picture?.image ?? []),
  );
  assert.deepEqual([revealed.red, revealed.blue], [0, 0]);
  assert.ok(revealed.green > 10_000, JSON.stringify(revealed));
  const after = await agent.text("browser_snapshot");
  assert.match(after, /unchanged since snapshot|changed since snapshot/);
});

test("a client may ask for evidence of its calls in any role", TIME, async () => {
  await using client = await connect({
    address: troupe.address,
    session: "asking",
    record: true,
    role: "visitor",
  });
  await client.session.navigate({ url: `${troupe.shopUrl}/` });
  const opened = (await evidenceOf("asking", 1)).at(-1);
  assert.deepEqual([opened?.call?.tool, opened?.call?.role], ["browser_navigate", "visitor"]);
});

test("a reload switches recording on and off, and the worker goes on", TIME, async () => {
  await using client = await connect({ address: troupe.address, session: "switched", role: "visitor" });
  const { session } = client;
  const pid = async () => (await client.roles()).find(({ name }) => name === "visitor")?.workerPid;
  const visit = () => session.navigate({ url: `${troupe.shopUrl}/` });
  const file = path.join(troupe.dir, "troupe.yaml");
  const before = readFileSync(file, "utf8");
  const config = JSON.parse(before);
  await visit();
  const worker = await pid();
  writeFileSync(
    file,
    JSON.stringify({
      ...config,
      roles: { ...config.roles, visitor: { ...config.roles.visitor, record: true } },
    }),
  );
  const { ok } = await control.ask("ReloadConfig", {});
  assert.deepEqual([ok?.changed, ok?.restarting], [["visitor"], []]);
  await visit();
  await evidenceOf("switched", 1);
  writeFileSync(file, before);
  await control.ask("ReloadConfig", {});
  await visit();
  assert.equal((await evidenceOf("switched", 1)).length, 1);
  assert.equal(await pid(), worker);
});

test("a worker that is killed in a call leaves the call with its plan", TIME, async () => {
  await using agent = await troupe.agent("--role", "recorded", "--session", "unlucky");
  await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
  await evidenceOf("unlucky", 1);
  const waiting = agent.call("browser_wait_for", { text: "never there", time: 20 });
  const { ok } = await control.ask("GetRole", { name: "recorded" });
  await until(async () => (await control.ask("GetStatus", {})).ok?.callsUnderWay, "the call is under way");
  process.kill(ok?.role?.workerPid ?? 0, "SIGKILL");
  assert.equal((await waiting).isError, true);
  const { calls = [] } = (await control.ask("ReadEvidence", { session: "unlucky" })).ok ?? {};
  assert.equal(calls.length, 2);
  assert.deepEqual([calls[1]?.call?.outcome, calls[1]?.seen], ["WORKER_RESTARTED", null]);
  assert.match(calls[1]?.plan ?? "", /browser_wait_for/);
  const { code, said, file } = await exported("unlucky");
  assert.equal(code, 0, said);
  assert.match(readFileSync(file, "utf8"), /No picture: none was taken/);
});
