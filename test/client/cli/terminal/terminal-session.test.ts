import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { type ProcessFacts, terminalSession } from "../../../../client/cli/terminal/terminal-session.ts";
import { CLI } from "../../../harness/mcp/mcp-process.ts";
import { StandIn } from "../../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const run = promisify(execFile);

type Facts = Partial<ProcessFacts>;
const machine = (all: Record<number, Facts>) => (pid: number) =>
  all[pid] && { parent: 1, leader: 1, terminal: "", started: "0", line: [], ...all[pid] };
const idOf = (pid: number, all: Record<number, Facts>) => terminalSession(pid, machine(all), "here");

test("commands of one terminal share a session; another terminal has another", () => {
  const all = {
    10: { terminal: "34816", started: "500" },
    20: { terminal: "34817", started: "500" },
    11: { terminal: "34816", leader: 10, parent: 10 },
    12: { terminal: "34816", leader: 10, parent: 11 },
    21: { terminal: "34817", leader: 20, parent: 20 },
  };
  assert.match(idOf(11, all), /^cli-[0-9a-f]{12}$/);
  assert.equal(idOf(12, all), idOf(11, all));
  assert.notEqual(idOf(21, all), idOf(11, all));
});

test("a later terminal with the same number and leader has another session", () => {
  const at = (started: string) =>
    idOf(11, { 10: { terminal: "34816", started }, 11: { terminal: "34816", leader: 10 } });
  assert.notEqual(at("500"), at("900"));
});

test("without a terminal the session is the parent's, also through npx", () => {
  const all = {
    5: { started: "1" },
    6: { started: "2" },
    11: { parent: 5 },
    12: { parent: 5 },
    13: { parent: 6 },
    30: { parent: 5, line: ["npm exec troupe call", ""] },
    31: { parent: 30, line: ["sh", "-c", "troupe call"] },
    32: { parent: 31 },
    33: { parent: 30 },
  };
  assert.equal(idOf(12, all), idOf(11, all));
  assert.notEqual(idOf(13, all), idOf(11, all));
  assert.deepEqual([idOf(32, all), idOf(33, all)], [idOf(11, all), idOf(11, all)]);
});

test("an agent's commands share a session, though each has a shell of its own", () => {
  const shell = (parent: number, ...line: string[]) => ({ parent, started: `${parent}`, line });
  const all = {
    5: { started: "1", line: ["node", "/usr/bin/agent"] },
    11: { parent: 21 },
    12: { parent: 22 },
    13: { parent: 23 },
    14: { parent: 24 },
    15: { parent: 25 },
    16: { parent: 26 },
    21: shell(5, "/bin/bash", "-c", "troupe call"),
    22: shell(32, "/bin/bash", "-c", "-l", "troupe call"),
    32: shell(5, "sh", "-lc", "bash"),
    23: shell(5, "bash", "nightly.sh", "-c"),
    24: shell(5, "bash"),
    25: shell(1, "sh", "-c", "troupe call"),
    26: shell(1, "sh", "-c", "troupe call; true"),
  };
  const [first, ...others] = [11, 12, 13, 14, 15, 16].map((pid) => idOf(pid, all));
  assert.equal(others[0], first);
  assert.equal(new Set([first, ...others.slice(1)]).size, 5, "scripts, and shells that init has taken over");
});

test("a process that cannot be looked at has a session too", () => {
  assert.match(
    terminalSession(11, () => undefined, "here"),
    /^cli-/,
  );
});

test("two real terminals have a session each, a parent without one has its own", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  const env = { ...process.env, TROUPE_ADDRESS: daemon.address };
  const call = `'${process.execPath}' '${CLI}' call browser_press_key key=a`;
  const twice = `${call} && sh -c "true; ${call}"`;
  const sessions = async (program: string, ...args: string[]) => {
    const before = daemon.callsOf("PressKey").length;
    await run(program, args, { env });
    return daemon
      .callsOf("PressKey")
      .slice(before)
      .map(({ headers }) => headers["x-troupe-session"]);
  };
  const first = await sessions("script", "-qec", twice, "/dev/null");
  const second = await sessions("script", "-qec", twice, "/dev/null");
  const parent = await sessions("setsid", "-w", "sh", "-c", `${call}; ${call}; true`);
  for (const pair of [first, second, parent]) assert.deepEqual([pair.length, pair[1]], [2, pair[0]]);
  assert.equal(new Set([first[0], second[0], parent[0]]).size, 3);
});
