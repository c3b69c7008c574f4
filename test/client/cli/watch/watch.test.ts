// `troupe watch` with a real daemon, browser and terminal.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CLI } from "../../../harness/mcp/mcp-process.ts";
import { runCommand, startCommand } from "../../../harness/program.ts";
import { shared } from "../../../harness/shared.ts";
import { refOf, startTroupe } from "../../../harness/troupe.ts";
import { serveSite } from "../../../site/serve.ts";
import { openTerminal } from "../terminal/open-terminal.ts";

const DEADLINE = { timeout: 120_000 };

const site = shared(await serveSite());
const troupe = shared(await startTroupe({ roles: { anywhere: {} } }));
const env = { TROUPE_ADDRESS: troupe.address };

const counter = site.page(
  `<title>Counter</title><h1>Counter</h1><button onclick="out.textContent = Number(out.textContent) + 1">More</button><p id=out>0</p>`,
);

/** An agent's session that a person watches. */
async function sessionOn(url: string, id: string) {
  const agent = await troupe.agent("--role", "anywhere", "--session", id);
  const page = await agent.text("browser_navigate", { url });
  return { agent, page, more: () => agent.text("browser_click", { ref: refOf(page, "button", "More") }) };
}

const watchOf = (id: string, ...flags: string[]) => ["watch", "anywhere", "--session", id, ...flags];

/** `troupe watch` on a terminal. */
function onTerminal(id: string, size = { rows: 12, columns: 60 }) {
  const { NO_COLOR: _none, FORCE_COLOR: _force, ...own } = process.env;
  const command = [process.execPath, CLI, ...watchOf(id)];
  return openTerminal(command, { env: { ...own, ...env, TERM: "xterm" }, size });
}

test("on a terminal the tree is drawn in place, with changes marked, until q", DEADLINE, async () => {
  const { agent, more } = await sessionOn(counter, "live");
  await using _agent = agent;
  await using terminal = onTerminal("live");
  await terminal.shows(/paragraph: 0/);
  assert.ok(terminal.sent.includes("\u001b[?1049h"), "the alternate screen");
  await more();
  const screen = await terminal.draws(/▌ - paragraph: 1/);
  assert.equal(screen.length, 12);
  assert.match(screen[0] ?? "", /^troupe watch anywhere · session live/);
  assert.ok(screen.some((line) => /^ {2}- heading "Counter"/.test(line)));
  assert.match(screen.at(-1) ?? "", /^3 elements, changed at \d\d:\d\d:\d\d · q quits$/);
  terminal.type("q");
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.sent, /\u001b\[\?7h\u001b\[\?25h\u001b\[\?1049l$/);
});

test("Ctrl+C and signals give the terminal back", DEADLINE, async () => {
  const { agent } = await sessionOn(counter, "signals");
  await using _agent = agent;
  for (const keys of ["\u0003", "SIGTERM"]) {
    await using terminal = onTerminal("signals");
    await terminal.shows(/paragraph: 0/);
    if (keys === "SIGTERM") process.kill(terminal.pid, keys);
    else terminal.type(keys);
    assert.equal(await terminal.ended, 0, keys);
    assert.ok(terminal.sent.endsWith("\u001b[?1049l"), keys);
  }
});

test("the picture follows the terminal's size, and the keys scroll it", DEADLINE, async () => {
  const rows = Array.from({ length: 60 }, (_, index) => `<p>Row number ${index}</p>`).join("");
  const { agent } = await sessionOn(site.page(rows), "size");
  await using _agent = agent;
  await using terminal = onTerminal("size");
  await terminal.shows(/Row number 0[\s\S]*\d+ below/);
  terminal.resize({ rows: 6, columns: 24 });
  const small = await terminal.draws(/^troupe watch anywhere ·…\n/);
  assert.equal(small.length, 6);
  for (const line of small) assert.ok(line.length <= 24, JSON.stringify(line));
  terminal.resize({ rows: 12, columns: 60 });
  terminal.type("G");
  await terminal.shows(/paragraph: Row number 59/);
  terminal.type("g");
  await terminal.shows(/Row number 0/);
  terminal.type("q");
  assert.equal(await terminal.ended, 0);
});

test("a hostile page stays within its lines", DEADLINE, async () => {
  const said = JSON.stringify(
    "\u001b]0;owned\u0007\u001b[2J\u001b[?1049l\u202e\u0085\u009b31m日本語".repeat(9),
  );
  const url = site.page(
    `<body><script>const said = ${said}; document.title = said;
     for (let i = 0; i < 40; i++) document.body.append(Object.assign(document.createElement("h2"), { textContent: said + i }));
     document.body.append(Object.assign(document.createElement("p"), { textContent: "e" + "\u0301".repeat(500) }))</script>`,
  );
  const { agent } = await sessionOn(url, "hostile");
  await using _agent = agent;
  await using terminal = onTerminal("hostile");
  await terminal.shows(/heading "/);
  terminal.type("q");
  assert.equal(await terminal.ended, 0);
  const own = /\u001b\[(\?(1049|25|7|2026)[hl]|[HJK]|\d*m)/g;
  assert.doesNotMatch(
    terminal.sent.replace(own, ""),
    /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]/,
  );
  assert.doesNotMatch(terminal.sent, /\u0301{4}/);
});

test("a program gets the tree, then the changes as lines, or JSON", DEADLINE, async () => {
  const { agent, more } = await sessionOn(counter, "piped");
  await using _agent = agent;
  await using piped = startCommand(watchOf("piped"), { env });
  await using json = startCommand(watchOf("piped", "--json"), { env });
  await piped.said(/paragraph: 0/);
  await json.said(/paragraph: 0/);
  await more();
  await piped.said(/changed since snapshot[\s\S]*paragraph: 1/);
  await json.said(/paragraph: 1.*\n/);
  const updates = json.output.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual([updates[0].kind, updates.at(-1).kind], ["full", "delta"]);
  assert.equal(updates[0].page.tab, "t1");
  assert.equal(json.output.out.includes("\u001b") || piped.output.out.includes("\u001b"), false);
});

test("a watch goes on over its worker's restart, and follows the next tab", DEADLINE, async () => {
  const { agent, more } = await sessionOn(counter, "restart");
  await using _agent = agent;
  await using piped = startCommand(watchOf("restart"), { env });
  await piped.said(/paragraph: 0/);
  await more();
  await piped.said(/paragraph: 1/);
  assert.equal((await runCommand(["restart", "anywhere"], { env })).code, 0);
  await piped.said(/paragraph: 1[\s\S]*paragraph: 0/);
  await agent.call("browser_snapshot");
  await agent.text("browser_tabs", { action: "new", url: site.page("<h1>Second</h1>") });
  await agent.text("browser_tabs", { action: "close", tab: "t1" });
  await piped.said(/heading "Second"/);
  await agent.text("browser_tabs", { action: "close", tab: "t2" });
  const { code, err } = await piped.ended;
  assert.equal(code, 1);
  assert.match(err, /session restart has no tab open in role anywhere any more\n$/);
});

test("the end of the session, or of the named tab, ends the watch with its reason", DEADLINE, async () => {
  const { agent } = await sessionOn(counter, "ends");
  await using _agent = agent;
  await using piped = startCommand(watchOf("ends"), { env });
  await using terminal = onTerminal("ends");
  await piped.said(/paragraph: 0/);
  await terminal.shows(/paragraph: 0/);
  assert.equal((await runCommand(["sessions", "ends", "--close"], { env })).code, 0);
  const { code, err } = await piped.ended;
  assert.equal(code, 1);
  assert.match(err, /^troupe: session ends has ended/);
  assert.equal(await terminal.ended, 1);
  assert.match(terminal.sent, /\u001b\[\?1049ltroupe: session ends has ended[^\n]*\n$/);
});

test(
  "without a session of this terminal, the role's sessions are listed; no daemon is 69",
  DEADLINE,
  async () => {
    const { agent } = await sessionOn(counter, "listed");
    await using _agent = agent;
    const { code, out, err } = await runCommand(["watch", "anywhere"], { env });
    assert.deepEqual([code, out], [64, ""]);
    assert.match(err, /name one\n[\s\S]* {2}troupe watch anywhere --session listed\n$/);
    const none = await runCommand(["watch", "anywhere"], {
      env: { TROUPE_ADDRESS: "unix:/nowhere/at/all.sock" },
    });
    assert.equal(none.code, 69);
  },
);

test("a watch outlives its daemon, and says meanwhile what it waits for", DEADLINE, async () => {
  await using own = await startTroupe({ roles: { anywhere: {} } });
  await using agent = await own.agent("--role", "anywhere", "--session", "lasts");
  await agent.text("browser_navigate", { url: counter });
  await using piped = startCommand(watchOf("lasts"), { env: { TROUPE_ADDRESS: own.address } });
  await piped.said(/paragraph: 0/);
  own.daemon.kill("SIGTERM");
  await piped.said(/Trying again\.\n/, "err");
  await own.again();
  await piped.said(/paragraph: 0[\s\S]*paragraph: 0/);
});
