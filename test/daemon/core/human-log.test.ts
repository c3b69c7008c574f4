import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { humanLine } from "../../../daemon/core/human-log.ts";
import { startProgram } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 60_000 };
const main = fileURLToPath(new URL("../../../daemon/main.ts", import.meta.url));
const plain = (_style: unknown, text: string) => text;
const line = (record: object) =>
  humanLine(`${JSON.stringify({ level: 30, time: "2026-11-21T12:00:01Z", ...record })}\n`, plain);

test("a record becomes time, level, words and fields", () => {
  assert.match(
    line({ pid: 7, role: "buyer", tries: 2, names: ["a b"], msg: "role" }),
    /^\d\d:\d\d:01 INFO {2}role role=buyer tries=2 names=\["a b"\]\n$/,
  );
});

test("an error's stack stands below, and a line that is no record stays", () => {
  const told = line({
    level: 50,
    msg: "broken",
    err: { message: "boom", stack: "Error: boom\n    at f (/x.ts:1)" },
  });
  assert.match(told, /ERROR broken\n {4}Error: boom\n {8}at f \(\/x\.ts:1\)\n$/);
  assert.equal(humanLine("not json\n", plain), "not json\n");
});

test("words of a page cannot pass for lines or move the cursor", () => {
  const hostile = "x\n12:00:00 INFO  all is well\u001b[2J\u202e";
  const told = line({ msg: hostile, title: hostile, err: { stack: hostile } });
  assert.equal(told.split("\n").length, 4);
  assert.equal(told.includes("\u001b"), false);
  assert.equal(told.includes("\u202e"), false);
});

/** Runs a daemon with its standard error on a terminal, until it is ready. */
async function onTerminal(dir: string, env: NodeJS.ProcessEnv) {
  const command = `"${process.execPath}" "${main}" --state-dir s --http off`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: dir,
    env: {
      ...process.env,
      NO_COLOR: "",
      FORCE_COLOR: undefined,
      NODE_DISABLE_COLORS: undefined,
      TERM: "xterm",
      // Node paints nothing for the logs of continuous integration.
      CI: undefined,
      ...env,
    },
  });
  const ended = once(child, "close");
  let shown = "";
  for await (const chunk of child.stdout) {
    shown += chunk;
    if (shown.includes("Ctrl-C ends it.")) break;
  }
  child.stdin.end("\u0003");
  await ended;
  return shown;
}

for (const [what, env, hasColours] of [
  ["lines with colours", {}, true],
  ["lines without colours if NO_COLOR is set", { NO_COLOR: "1" }, false],
] as const) {
  test(`a daemon on a terminal logs human ${what}`, DEADLINE, async () => {
    using temp = tempDir();
    const shown = await onTerminal(temp.dir, env);
    assert.match(stripVTControlCharacters(shown), /^\d\d:\d\d:\d\d INFO {2}ready addresses=\[/m);
    assert.equal(shown.includes("\u001b["), hasColours, shown);
    assert.equal(shown.includes('"level"'), false);
  });
}

test("a daemon whose log goes elsewhere writes JSON, whatever FORCE_COLOR says", DEADLINE, async () => {
  using temp = tempDir();
  const env = { ...process.env, FORCE_COLOR: "1" };
  await using daemon = startProgram([main, "--state-dir", path.join(temp.dir, "s"), "--http", "off"], {
    cwd: temp.dir,
    env,
  });
  const ready = await daemon.said(/^\{.*"msg":"ready"\}$/m, "err");
  assert.equal(JSON.parse(ready).level, 30);
});
