// Completion in the real shells. A shell that is not installed is skipped, and says so.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { SHELLS } from "../../../../client/cli/completion/vocabulary.ts";
import { CLI } from "../../../harness/mcp/mcp-process.ts";
import { runCommand } from "../../../harness/program.ts";
import { shared } from "../../../harness/shared.ts";
import { tempDir } from "../../../harness/temp-dir.ts";
import { openTerminal } from "../terminal/open-terminal.ts";

const DEADLINE = { timeout: 120_000 };
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const skip = (program: string) => (has(program) ? false : `${program} is not installed`);

const temp = shared(tempDir());
const env = prepared();

/** Writes a folder with what the shells complete. Returns their environment. */
function prepared(): NodeJS.ProcessEnv {
  const bin = path.join(temp.dir, "bin");
  mkdirSync(bin);
  // The shells call troupe by its name, for the roles.
  writeFileSync(path.join(bin, "troupe"), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  chmodSync(path.join(bin, "troupe"), 0o755);
  writeFileSync(path.join(temp.dir, "troupe.yaml"), 'roles: { buyer: {}, seller: {}, "$(touch evil)": {} }');
  mkdirSync(path.join(temp.dir, "certificates"));
  writeFileSync(path.join(temp.dir, "certificates.pem"), "");
  for (const shell of SHELLS) {
    const script = execFileSync(process.execPath, [CLI, "completion", shell], { encoding: "utf8" });
    writeFileSync(path.join(temp.dir, `troupe.${shell}`), script);
  }
  return { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: temp.dir, TERM: "dumb" };
}

/** A line as typed so far, and the words that a tab offers at its end. */
const CASES: [typed: string, offered: string[]][] = [
  ["troupe st", ["status"]],
  ["troupe re", ["record", "reload", "replay", "restart"]],
  ["troupe status --js", ["--json"]],
  ["troupe daemon --ex", ["--example"]],
  ["troupe restart ", ["buyer", "seller"]],
  ["troupe restart s", ["seller"]],
  ["troupe call --role b", ["buyer"]],
  ["troupe call browser_sel", ["browser_select_option"]],
  ["troupe mcp --profile f", ["full"]],
  ["troupe status --address x --state-dir certif", ["certificates"]],
  ["troupe init --client cu", ["cursor"]],
  ["troupe completion f", ["fish"]],
];

describe("bash", { skip: skip("bash") }, () => {
  for (const [typed, offered] of CASES)
    test(typed, DEADLINE, () => {
      const words = typed.split(" ");
      const program = `source ./troupe.bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _troupe; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const out = execFileSync("bash", ["--norc", "-c", program], { cwd: temp.dir, env, encoding: "utf8" });
      assert.deepEqual(out.trim().split("\n").sort(), offered);
    });
});

describe("fish", { skip: skip("fish") }, () => {
  for (const [typed, offered] of CASES)
    test(typed, DEADLINE, () => {
      const program = `source troupe.fish; complete -C '${typed}'`;
      const out = execFileSync("fish", ["--no-config", "-c", program], {
        cwd: temp.dir,
        env,
        encoding: "utf8",
      });
      const words = out
        .trim()
        .split("\n")
        .map((line) => line.split("\t")[0]?.replace(/\/$/, ""));
      assert.deepEqual(words.sort(), offered);
    });
});

describe("zsh", { skip: skip("zsh") || skip("script") }, () => {
  test("on a terminal, a tab completes commands, flags, roles and tools", DEADLINE, async () => {
    await using shell = openTerminal(["zsh", "-f", "-i"], { cwd: temp.dir, env });
    shell.type("PS1=''; autoload -U compinit; compinit -u; source ./troupe.zsh; echo rea''dy\n");
    await shell.shows(/^ready/m);
    for (const [typed, [only = "", ...others]] of CASES) {
      if (others.length > 0) continue;
      // Control-U clears the line, which is never run.
      shell.type(`${typed}\t`);
      await shell.shows(new RegExp(`${escaped(typed.split(" ").slice(0, -1).join(" "))} ${escaped(only)}`));
      shell.type("\u0015");
    }
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

test("an unknown shell is a usage error", DEADLINE, async () => {
  const { code, err } = await runCommand(["completion", "tcsh"]);
  assert.equal(code, 64);
  assert.match(err, /there are bash, zsh and fish/);
});

test(
  "without a readable configuration there are no roles, and no errors in the middle of a line",
  DEADLINE,
  async () => {
    using folder = tempDir();
    writeFileSync(path.join(folder.dir, "troupe.yaml"), "roles: [");
    mkdirSync(path.join(folder.dir, "pipe"));
    execFileSync("mkfifo", [path.join(folder.dir, "pipe/troupe.yaml")]);
    for (const cwd of [folder.dir, path.join(folder.dir, "pipe")]) {
      const { code, out, err } = await runCommand(["completion", "roles"], { cwd });
      assert.deepEqual([code, out, err], [0, "", ""]);
    }
  },
);
