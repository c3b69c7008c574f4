// `troupe record` and `troupe replay` with a real daemon, browser and shop.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { runCommand } from "../../../harness/program.ts";
import { shared } from "../../../harness/shared.ts";
import { tempDir } from "../../../harness/temp-dir.ts";
import { refOf, startTroupe } from "../../../harness/troupe.ts";
import { serveSite } from "../../../site/serve.ts";

const DEADLINE = { timeout: 120_000 };

const site = shared(await serveSite());
const temp = shared(tempDir());
const troupe = shared(await startTroupe({ roles: { anywhere: {} } }));
const env = { TROUPE_ADDRESS: troupe.address };
const fileNamed = (name: string) => path.join(temp.dir, name);
const run = (...args: string[]) => runCommand(args, { env, cwd: temp.dir });

const form = (extra = "") =>
  `<title>Form</title>${extra}<label>Name <input id=who></label><label>Password <input type=password></label>
   <select aria-label=Colour><option>Red<option>Blue</select>
   <button onclick="out.textContent = who.value + ' ' + document.querySelector('select').value + ' ' + document.querySelector('[type=password]').value.length">Save</button>
   <a href="?next" target=_blank>Open</a><output id=out></output>`;

/** An agent's session on the form, recorded as a file. */
async function recorded(id: string, url: string): Promise<string> {
  await using agent = await troupe.agent("--role", "anywhere", "--session", id);
  const page = await agent.text("browser_navigate", { url });
  const ref = (role: string, name: string) => refOf(page, role, name);
  await agent.text("browser_type", { ref: ref("textbox", "Name"), text: "Ada" });
  await agent.text("browser_type", { ref: ref("textbox", "Password"), text: "swordfish" });
  await agent.text("browser_select_option", { ref: ref("combobox", "Colour"), values: ["Blue"] });
  await agent.text("browser_click", { ref: ref("button", "Save") });
  const { code, out, err } = await run("record", id, "--role", "anywhere", "--output", `${id}.yaml`);
  assert.deepEqual([code, out], [0, ""], err);
  return fileNamed(`${id}.yaml`);
}

test(
  "a recording holds locators and placeholders, no refs and no secrets, and plays again",
  DEADLINE,
  async () => {
    const file = await recorded("first", site.page(form()));
    const text = readFileSync(file, "utf8");
    assert.doesNotMatch(text, /swordfish|\be\d+\b/);
    assert.match(text, /tool: "browser_type"[\s\S]*secret: "ANYWHERE_PASSWORD"/);
    assert.match(text, /role: "button"\n +name: "Save"/);
    const lacking = await run("replay", file);
    assert.equal(lacking.code, 64);
    assert.match(lacking.err, /set ANYWHERE_PASSWORD/);
    const withSecret = { env: { ...env, ANYWHERE_PASSWORD: "12345" }, cwd: temp.dir };
    const { code, out, err } = await runCommand(["replay", file, "--session", "again"], withSecret);
    assert.equal(code, 0, out + err);
    assert.match(
      err,
      /^It reads ANYWHERE_PASSWORD from the environment\.\n1\/5 browser_navigate\n2\/5 browser_type textbox "Name"\n[\s\S]*5\/5 browser_click button "Save"\n$/,
    );
    assert.match(out, /^Played .*: 5 steps\.\n$/);
    const page = await run(
      "call",
      "browser_snapshot",
      "full=true",
      "--session",
      "again",
      "--role",
      "anywhere",
    );
    assert.match(page.out, /status: Ada Blue 5/);
  },
);

test("a page that was rebuilt is found again; another site is played with --url", DEADLINE, async () => {
  const file = await recorded("moved", site.page(form()));
  const text = readFileSync(file, "utf8").replace(/secret: "ANYWHERE_PASSWORD"/, 'secret: "PW"');
  const there = new URL(site.page(form("<div><p>News</p><input aria-label=Search></div>")));
  const changed = text.replaceAll(/(url: "http:\/\/127\.0\.0\.1:\d+)\/[^"]*"/g, `$1${there.pathname}"`);
  writeFileSync(file, changed);
  const flags = ["--json", "--url", site.otherOrigin, "--session", "elsewhere"];
  const withSecret = { env: { ...env, PW: "123" }, cwd: temp.dir };
  const foreign = await runCommand(["replay", file, ...flags], withSecret);
  assert.equal(foreign.code, 64);
  assert.match(foreign.err, /variables that are not of role anywhere: allow them with --secret PW/);
  assert.doesNotMatch(foreign.err, /1\/5/);
  const ran = await runCommand(["replay", file, ...flags, "--secret", "PW"], withSecret);
  assert.equal(ran.code, 0, ran.out + ran.err);
  const { success, steps } = JSON.parse(ran.out);
  assert.deepEqual([success, steps.length, steps[0].tool], [true, 5, "browser_navigate"]);
  const page = await run(
    "call",
    "browser_snapshot",
    "full=true",
    "--session",
    "elsewhere",
    "--role",
    "anywhere",
  );
  assert.ok(page.out.includes(site.otherOrigin), page.out);
  assert.match(page.out, /status: Ada Blue 3/);
});

/** A file that opens the address and clicks the button, in these iframes. */
function clicking(name: string, url: string, frames: string[] = []): string {
  const file = fileNamed("clicking.yaml");
  const element = { role: "button", name, frames, locators: [{ role: "button", name }] };
  const steps = [
    { tool: "browser_navigate", arguments: { url } },
    { tool: "browser_click", elements: { ref: element } },
  ];
  writeFileSync(file, JSON.stringify({ version: 1, role: "anywhere", steps }));
  return file;
}

test("an element is alone only if all others with a longer name are seen", DEADLINE, async () => {
  const rows = (count: number) => `<button>Delete row</button>`.repeat(count);
  const twice = `<button>Delete</button>${rows(25)}<button>Delete</button>`;
  const several = await run("replay", clicking("Delete", site.page(twice)));
  assert.equal(several.code, 1, several.out);
  assert.match(several.out, /button "Delete" is not on the page, or not alone/);
  const one = await run("replay", clicking("Delete", site.page(`<button>Delete</button>${rows(25)}`)));
  assert.equal(one.code, 0, one.out + one.err);
  const many = await run("replay", clicking("Delete", site.page(`<button>Delete</button>${rows(205)}`)));
  assert.equal(many.code, 1, many.out);
});

test("an element of an iframe is found in that iframe alone", DEADLINE, async () => {
  const frame = (id: string) =>
    `<iframe id=${id} srcdoc="<button onclick=&quot;parent.out.textContent += ' ${id}'&quot;>Send</button>"></iframe>`;
  const page = (...ids: string[]) =>
    site.page(`<title>F</title>${ids.map(frame).join("")}<output id=out></output>`);
  const both = page("ads", "pay");
  await using agent = await troupe.agent("--role", "anywhere", "--session", "framed");
  await agent.text("browser_navigate", { url: both });
  const seen = await agent.text("browser_snapshot", { full: true });
  const inside = seen.slice(seen.lastIndexOf("iframe"));
  await agent.text("browser_click", { ref: refOf(inside, "button", "Send") });
  assert.equal((await run("record", "framed", "--role", "anywhere", "--output", "framed.yaml")).code, 0);
  const recording = readFileSync(fileNamed("framed.yaml"), "utf8");
  assert.match(recording, /frames:\n +- "[^"]*pay/);
  const again = await run("replay", "framed.yaml", "--session", "framed-again");
  assert.equal(again.code, 0, again.out + again.err);
  const flags = ["full=true", "--session", "framed-again", "--role", "anywhere"];
  const after = await run("call", "browser_snapshot", ...flags);
  assert.match(after.out, /status: "?pay/);
  writeFileSync(fileNamed("framed.yaml"), recording.replaceAll(both, page("ads")));
  const gone = await run("replay", "framed.yaml");
  assert.equal(gone.code, 1, gone.out);
  assert.match(gone.out, /button "Send" is not on the page, or not alone/);
});

test("a replay stops at the first failure with its plan, and its own session ends", DEADLINE, async () => {
  const step = (tool: string, rest: object) => ({ tool, tab: "t1", ...rest });
  const url = site.page("<button disabled>Save</button><h1>Only this</h1>");
  const navigate = step("browser_navigate", { arguments: { url } });
  const click = (name: string) =>
    step("browser_click", {
      elements: { ref: { role: "button", name, locators: [{ role: "button", name }] } },
    });
  const written = (...steps: object[]) => {
    const file = fileNamed("fails.yaml");
    writeFileSync(file, JSON.stringify({ version: 1, role: "anywhere", steps }));
    return file;
  };
  const disabled = await run("replay", written(navigate, click("Save"), click("Never")));
  assert.equal(disabled.code, 1, disabled.err);
  assert.match(
    disabled.out,
    /^Step 2 of 3 failed; the steps before it are done\.\n\n❌ [\s\S]*🔧 Action Required:\n1\. /,
  );
  assert.doesNotMatch(disabled.err, /Never/);
  const gone = await run("replay", written(navigate, click("Send")), "--json");
  assert.equal(gone.code, 1);
  const { success, failed } = JSON.parse(gone.out);
  assert.deepEqual([success, failed.step, failed.tool], [false, 2, "browser_click"]);
  assert.match(failed.text, /button "Send" is not on the page/);
  assert.doesNotMatch((await run("sessions")).out, /replay-/);
});

test("what is no recording is refused before anything is done", DEADLINE, async () => {
  const step = { tool: "browser_navigate", arguments: { url: "http://127.0.0.1/" } };
  const cases: [content: string, said: RegExp][] = [
    ["steps: [", /is no YAML/],
    ["version: 2\nsteps: []", /no recording of version 1/],
    ["version: 1\nsteps: []", /has no steps/],
    ["null", /no recording/],
    [
      JSON.stringify({ version: 1, steps: [{ tool: "browser_clik" }] }),
      /step 1: there is no tool "browser_clik"/,
    ],
    [
      JSON.stringify({ version: 1, steps: [step, { ...step, elements: { ref: {} } }] }),
      /step 2: ref takes role/,
    ],
    [
      JSON.stringify({
        version: 1,
        steps: [
          {
            tool: "browser_click",
            elements: { ref: { role: "a", name: "b", locators: [{ xpath: "//a" }] } },
          },
        ],
      }),
      /a locator is/,
    ],
    [JSON.stringify({ version: 1, steps: [{ tool: "\u009b31m" }] }), /no tool "\\u009b31m"/],
    [
      JSON.stringify({ version: 1, steps: [{ ...step, elements: { "\u001b[2J": 1 } }] }),
      /step 1: \\u001b\[2J takes role/,
    ],
    [`version: 1\nsteps: [&a {tool: browser_reload}, ${"*a, ".repeat(20)}*a]`, /is no YAML/],
  ];
  for (const [content, said] of cases) {
    writeFileSync(fileNamed("wrong.yaml"), content);
    const { code, err } = await run("replay", "wrong.yaml");
    assert.equal(code, 64, content + err);
    assert.match(err, said);
    assert.doesNotMatch(err, /(?!\n)\p{Cc}/u);
  }
  assert.match((await run("replay", "missing.yaml")).err, /missing\.yaml cannot be read: ENOENT/);
  assert.match((await run("replay", ".")).err, /\. is no file/);
  assert.match((await run("replay", "wrong.yaml", "--url", "x")).err, /is no YAML|--url takes an address/);
  assert.equal((await run("record", "nobody")).code, 1);
});
