// `troupe call` as a person uses it: real commands, a real daemon and browser, a real terminal.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { CLI } from "../../harness/mcp/mcp-process.ts";
import { runCommand } from "../../harness/program.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";
import { serveSite } from "../../site/serve.ts";
import { openTerminal } from "./terminal/open-terminal.ts";

const DEADLINE = { timeout: 90_000 };
const run = promisify(execFile);

const site = shared(await serveSite());
const troupe = shared(await startTroupe({ roles: { anywhere: { evaluate: true } } }));

function call(session: string, ...args: string[]) {
  const flags = ["--session", session, "--role", "anywhere", "--address", troupe.address];
  return runCommand(["call", ...args, ...flags]);
}

test(
  "nested values are JSON in one word; misspelt names are corrected before anything is sent",
  DEADLINE,
  async () => {
    const url = site.page(
      "<input aria-label=Who><button onclick='out.value = 1'>Go</button><output id=out></output>",
    );
    const { out: page } = await call("nested", "browser_navigate", `url=${url}`);
    const [who, go] = [refOf(page, "textbox", "Who"), refOf(page, "button", "Go")];
    const steps = `steps=[{"type": {"ref": "${who}", "text": "[Ada]"}}, {"click": {"ref": "${go}"}}]`;
    const done = await call("nested", "browser_steps", steps);
    assert.deepEqual([done.code, done.err], [0, ""], done.out);
    assert.match(done.out, /1\. Typed into [\s\S]*2\. Clicked [\s\S]*"\[Ada\]"/);
    const typed = await call("nested", "browser_type", `ref=${who}`, "text={not: JSON");
    assert.match(typed.out, /\{not: JSON/);
    const wrong = await call("nested", "browser_steps", "steps=[{click: 1}]");
    assert.equal(wrong.code, 64);
    assert.match(wrong.err, /^troupe: the value of steps is not JSON: /);
    const misspelt = await call("nested", "browser_click", `reff=${go}`);
    assert.equal(misspelt.code, 64);
    assert.match(misspelt.out, new RegExp(`Call browser_click\\(.*ref: "${go}"`));
  },
);

test("a page's words never steer the terminal", DEADLINE, async () => {
  const hostile = "\u001b]0;owned\u0007\u001b[2J\u202egnp.exe\u0085\u009b31m\r\b";
  const said = JSON.stringify(hostile).replaceAll("\\", "\\\\");
  const url = site.page(
    `<title>x</title><body><script>const said = JSON.parse('${said}');
     document.title = said; document.body.append(Object.assign(document.createElement("h1"), { textContent: said }));
     console.error(said)</script>`,
  );
  const calls = [
    ["browser_navigate", `url=${url}`],
    ["browser_console_messages"],
    ["browser_evaluate", "function=() => document.title"],
    ["browser_read_text"],
    ["browser_tabs", "action=list"],
    ["browser_snapshot", "full=true", "--json"],
  ];
  for (const args of calls) {
    const { code, out, err } = await call("hostile", ...args);
    assert.equal(code, 0, args.join(" ") + out);
    assert.doesNotMatch(
      out + err,
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      args.join(" "),
    );
    assert.match(out, /owned/);
  }
});

test("a terminal shows colours, unless NO_COLOR is set; a program reads none", DEADLINE, async () => {
  const flags = ["--session", "colours", "--role", "anywhere", "--address", troupe.address];
  const failing = [process.execPath, CLI, "call", "browser_click", "ref=e99", ...flags];
  const { NO_COLOR: _none, FORCE_COLOR: _force, CI: _ci, ...env } = process.env;
  const shown = async (more: NodeJS.ProcessEnv) => {
    await using terminal = openTerminal(failing, { env: { ...env, TERM: "xterm", ...more } });
    assert.equal(await terminal.ended, 1);
    return terminal.sent;
  };
  assert.match(await shown({}), /^\u001b\[1m\u001b\[31m❌ Unknown Element Reference\u001b/);
  assert.match(await shown({ NO_COLOR: "1" }), /^❌ Unknown Element Reference\r\n/);
  assert.match(await shown({ TERM: "dumb" }), /^❌ /);
  assert.match((await call("colours", "browser_click", "ref=e99")).out, /^❌ Unknown Element Reference\n/);
});

test("a reader that leaves early ends the command quietly, whichever stream it read", DEADLINE, async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => `<p>Row ${index} ${"words ".repeat(20)}</p>`);
  await call("pipe", "browser_navigate", `url=${site.page(rows.join(""))}`);
  const flags = `--session pipe --role anywhere --address '${troupe.address}'`;
  const snapshot = `'${process.execPath}' '${CLI}' call browser_snapshot full=true maxTokens=0 ${flags}`;
  const early = await run("bash", ["-c", `${snapshot} | head -c 10; echo " \${PIPESTATUS[0]}"`]);
  assert.match(early.stdout, / 0\n$/);
  assert.equal(early.stderr, "");
  const unread = `'${process.execPath}' '${CLI}' call browser_click e5 --address x 2>&1 >/dev/null`;
  const refused = await run("bash", ["-c", `(${unread}) | true; echo " \${PIPESTATUS[0]}"`]);
  assert.match(refused.stdout, / (0|64)\n$/);
  assert.equal(refused.stderr, "");
});

test("a tool's help lists its arguments from the catalogue, nested ones too", DEADLINE, async () => {
  const help = async (tool: string) => await runCommand(["call", tool, "--help"]);
  const { code, out } = await help("browser_click");
  assert.equal(code, 0);
  assert.match(out, /^Usage: troupe call browser_click ref=TEXT \[key=value\.\.\.\]\n/);
  assert.match(out, /\n {2}ref=TEXT +Required\. Element/);
  assert.match(out, /\n {2}button=left\|right\|middle +\S/);
  assert.match(out, /\nExample:\n {2}troupe call browser_click ref=e5\n/);
  assert.match((await help("browser_steps")).out, /\n {2}steps='\[\{…\}, …\]' [\s\S]*\n {4}click +Clicks/);
  assert.match((await help("list_current_roles")).out, /Arguments [^\n]*\n {2}none\n/);
  const unknown = await help("browser_clik");
  assert.deepEqual([unknown.code, unknown.out], [64, ""]);
  assert.match(unknown.err, /there is no tool "browser_clik": did you mean browser_click\?/);
  assert.match((await runCommand(["call", "--help"])).out, /^Usage: troupe call \[options\] <tool>/);
});

test("a wrong configuration ends the call with 78, and says what to correct", DEADLINE, async () => {
  using temp = tempDir();
  mkdirSync(path.join(temp.dir, "project"));
  writeFileSync(path.join(temp.dir, "project/troupe.yaml"), "rolse: {}\n");
  const env = { XDG_STATE_HOME: path.join(temp.dir, "state"), TROUPE_ADDRESS: "", TROUPE_STATE_DIR: "" };
  const where = { cwd: path.join(temp.dir, "project"), env };
  const { code, out, err } = await runCommand(["call", "browser_snapshot"], where);
  assert.deepEqual([code, out], [78, ""], err);
  assert.match(err, /unknown key rolse[\s\S]*What to do: correct the configuration/);
  assert.doesNotMatch(err, /Start one with/);
  const machine = await runCommand(["call", "browser_snapshot", "--json"], where);
  assert.equal(machine.code, 78);
  const { error } = JSON.parse(machine.out);
  assert.deepEqual([error.type, error.recoverable], ["DAEMON_UNREACHABLE", false]);
});

test("a picture is named, not printed", DEADLINE, async () => {
  await call("picture", "browser_navigate", `url=${site.page("<h1>Hello</h1>")}`);
  const { out, err } = await call("picture", "browser_take_screenshot");
  assert.ok(out.length < 1_000, out);
  assert.match(err, /^image\/png, [\d.]+ KiB: --output FILE writes it there\n$/);
});
