// A person's keys and texts are in nothing that Troupe keeps, logs or says.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { codeAt, seedOf } from "../../../daemon/credentials/totp.ts";
import { shared } from "../../harness/shared.ts";
import { refOf } from "../../harness/troupe.ts";
import { AT, HERE, SESSION, takeOverStage } from "./take-over-stage.ts";

const stage = shared(await takeOverStage({ log: { level: "trace" } }));
const { agent, site, troupe } = stage;

const PASSWORD = "Kx7-quiet-Otter";
const SEED = seedOf("JBSWY3DPEHPK3PXP");
assert.ok("key" in SEED);
/** The code of now. The site takes it for longer than a real one would. */
const CODE = codeAt(SEED, Date.now());
const PIN = "7316";

/** A site with a second factor that shows and logs what it gets, as careless sites do. */
function loginSite(): string {
  const account = site.route((request, response) => {
    response.setHeader("content-type", "text/html");
    const isIn = new URL(request.url ?? "", site.origin).searchParams.get("code") === CODE;
    response.end(
      isIn ? `<title>Account</title><h1>Welcome</h1><p>Code ${CODE} was right</p>` : "<h1>Wrong code</h1>",
    );
  });
  const code = site.page(
    `<title>Second factor</title><form action="${account}"><input name=code autocomplete=one-time-code style="${HERE}" oninput="console.log('typed ' + this.value); if (this.value.length === 6) this.form.submit()"></form>`,
  );
  return site.page(
    `<title>Log in</title><form onsubmit="event.preventDefault(); localStorage.last = this.pw.value.length; console.log('pw ' + this.pw.value); location = '${code}'"><input type=password name=pw style="${HERE}"></form><input name=pin placeholder="Your PIN" style="position: fixed; left: 100px; top: 200px; width: 200px; height: 40px">`,
  );
}

test("a person finishes a login with a second factor, and no keystroke is in any output", async () => {
  await agent.text("browser_navigate", { url: loginSite() });
  await using person = await stage.person();
  person.click(150, 220);
  person.type(PIN);
  person.click(...AT);
  person.type(PASSWORD);
  const half = person.state;
  assert.equal(half?.isReady, true);
  person.press("Enter");
  await person.sees(({ tabs }) => tabs[0]?.title === "Second factor", "the second factor");
  person.click(...AT);
  person.type(CODE);
  await person.sees(({ tabs }) => tabs[0]?.title === "Account", "the account");
  await person.handBack();

  const texts = [await agent.text("browser_snapshot", { full: true })];
  assert.match(texts[0] ?? "", /heading "Welcome"/);
  assert.match(texts[0] ?? "", /Code ••• was right/);
  texts.push(
    await agent.text("browser_console_messages"),
    await agent.text("browser_tabs", { action: "list" }),
  );
  texts.push(await agent.text("browser_find", { text: "was right" }));
  for (const rpc of ["ListSessions", "ListCalls", "GetStatus"] as const)
    texts.push(JSON.stringify(await stage.ask(rpc, {})));
  const exported = await stage.ask("ExportSession", { session: SESSION, as: "EXPORT_FORMAT_STEPS" });
  texts.push(JSON.stringify(exported), troupe.output.all.join("\n"), ...filesOf(troupe.stateDir));
  for (const text of texts)
    for (const secret of [PASSWORD, CODE])
      assert.ok(!text.includes(secret), `${secret} in ${around(text, secret)}`);
});

test("a field for a code stays masked before it is sent, however short the code is", async () => {
  await agent.text("browser_navigate", { url: loginSite() });
  await using person = await stage.person();
  person.click(150, 220);
  person.type(PIN);
  await person.handBack();
  const text = await agent.text("browser_snapshot", { full: true });
  assert.match(text, /textbox "Your PIN".*"?\[masked\]/);
  assert.ok(!text.includes(PIN), text);
});

test("what a person types into any other field is the page's to show", async () => {
  await stage.open(`<input aria-label=City style="${HERE}">`);
  await using person = await stage.person();
  person.click(...AT);
  person.type("Lisbon");
  await person.handBack();
  assert.match(await agent.text("browser_snapshot", { full: true }), /textbox "City".*: Lisbon/);
  assert.ok(!troupe.output.all.join("\n").includes("Lisbon"));
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)).toString("latin1"));
}

function around(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return text.slice(Math.max(0, at - 100), at + 100);
}

test("what a person types is masked in that session, and hides nothing in others", async () => {
  await using other = await troupe.agent("--role", "visitor", "--session", "another");
  const word = "button-otter";
  await stage.open(
    `<input type=password style="${HERE}" oninput="document.querySelector('p').textContent = this.value"><p></p>`,
  );
  await using person = await stage.person();
  person.click(...AT);
  person.type(word);
  person.press("Tab");
  await person.handBack();
  assert.doesNotMatch(await agent.text("browser_snapshot", { full: true }), /button-otter/);
  const [whole, guess] = [`<h1>${word}</h1>`, "<h1>button-ot…</h1>"];
  for (const html of [whole, guess])
    assert.match(await other.text("browser_navigate", { url: site.page(html) }), /heading "button-ot/);
  const covered = `<button>${word}</button><div style="position: fixed; inset: 0">${word}</div>`;
  const page = await other.text("browser_navigate", { url: site.page(covered) });
  const refused = await other.call("browser_click", { ref: refOf(page, "button", word) });
  assert.match(refused.text, /button-otter/);
});
