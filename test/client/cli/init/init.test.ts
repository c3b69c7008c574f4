import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CLIENTS } from "../../../../client/cli/init/clients.ts";
import { type Installation, npxPackageAt, ownCommand } from "../../../../client/cli/init/own-command.ts";
import { STARTER_CONFIG } from "../../../../client/cli/init/starter-config.ts";
import { loadConfig } from "../../../../daemon/config/load.ts";
import { CLI } from "../../../harness/mcp/mcp-process.ts";
import { runCommand } from "../../../harness/program.ts";
import { tempDir } from "../../../harness/temp-dir.ts";

const DEADLINE = { timeout: 60_000 };
const read = (...parts: string[]) => readFileSync(path.join(...parts), "utf8");

/** Runs `troupe init` in a folder that is the home too. */
async function initIn(dir: string, ...args: string[]) {
  const { code, out, err } = await runCommand(["init", ...args], { cwd: dir, env: { HOME: dir } });
  return { code, out, err };
}

test(
  "a fresh folder gets a troupe.yaml that loads as it is, and an ignored auth folder",
  DEADLINE,
  async () => {
    using temp = tempDir();
    const { dir } = temp;
    const { code, out } = await initIn(dir);
    assert.equal(code, 0);
    assert.match(out, /written +troupe\.yaml\nwritten +\.gitignore\n[\s\S]*troupe init --client/);
    const flags = { listen: [], roles: [], example: false };
    const { roles, warnings, file } = loadConfig({ flags, env: { HOME: dir }, cwd: dir });
    assert.equal(file, path.join(dir, "troupe.yaml"));
    assert.deepEqual([roles.map(({ name }) => name), warnings], [["visitor"], []]);
    assert.equal(read(dir, ".gitignore").split("\n").includes("auth/"), true);
  },
);

test("each comment of the troupe.yaml is a valid key once it is uncommented", () => {
  using temp = tempDir();
  // Prose begins with a capital letter, a key does not.
  const uncommented = STARTER_CONFIG.replace("  visitor: {}\n", "").replaceAll(
    /^( *)# (\s*[a-z]\w*:)/gm,
    "$1$2",
  );
  writeFileSync(path.join(temp.dir, "troupe.yaml"), uncommented);
  const flags = { listen: [], roles: [], example: false };
  const { roles, http } = loadConfig({ flags, env: { HOME: temp.dir }, cwd: temp.dir });
  assert.deepEqual(
    roles.map(({ name }) => name),
    ["visitor", "customer"],
  );
  assert.equal(roles[1]?.authRequired, true);
  assert.deepEqual(http, [{ host: "127.0.0.1", port: 7421 }]);
});

test(
  "each client gets its file, a second run changes nothing, and what was there stays",
  DEADLINE,
  async () => {
    using temp = tempDir();
    const { dir } = temp;
    mkdirSync(path.join(dir, ".cursor"));
    writeFileSync(path.join(dir, ".cursor/mcp.json"), '{"mcpServers": {"git": {"command": "git-mcp"}}}');
    chmodSync(path.join(dir, ".cursor/mcp.json"), 0o600);
    mkdirSync(path.join(dir, "dotfiles"));
    writeFileSync(path.join(dir, "dotfiles/claude.json"), "{}");
    symlinkSync("dotfiles/claude.json", path.join(dir, ".mcp.json"));
    writeFileSync(path.join(dir, "troupe.yaml"), "roles: { mine: {} }\n");
    const first = await initIn(dir, "--client", CLIENTS.join(","), "--json");
    assert.equal(first.code, 0, first.out);
    const outcomes: [string, string][] = JSON.parse(first.out).files.map(
      ({ file, outcome }: { file: string; outcome: string }) => [path.relative(dir, file), outcome],
    );
    assert.deepEqual(outcomes, [
      ["troupe.yaml", "kept"],
      [".gitignore", "written"],
      [".mcp.json", "changed"],
      [".cursor/mcp.json", "changed"],
      [".vscode/mcp.json", "written"],
      [".codex/config.toml", "written"],
      [".lmstudio/mcp.json", "written"],
    ]);
    assert.equal(read(dir, "troupe.yaml"), "roles: { mine: {} }\n");
    assert.ok(lstatSync(path.join(dir, ".mcp.json")).isSymbolicLink());
    assert.equal(statSync(path.join(dir, ".cursor/mcp.json")).mode & 0o777, 0o600);
    const servers = (file: string) => JSON.parse(read(dir, file));
    assert.ok(servers("dotfiles/claude.json").mcpServers.troupe.args.includes("mcp"));
    assert.deepEqual(Object.keys(servers(".cursor/mcp.json").mcpServers), ["git", "troupe"]);
    assert.equal(servers(".vscode/mcp.json").servers.troupe.type, "stdio");
    assert.equal(servers(".lmstudio/mcp.json").mcpServers.troupe.args.at(-3), path.join(dir, "troupe.yaml"));
    assert.match(
      read(dir, ".codex/config.toml"),
      /^\[mcp_servers\.troupe\]\ncommand = ".+"\nargs = \[.*"mcp"\]\n$/,
    );
    const all = [...outcomes.map(([file]) => file), "dotfiles/claude.json"];
    const before = all.map((file) => read(dir, file));
    const second = await initIn(dir, "--client", CLIENTS.join(","), "--json");
    assert.equal(second.code, 0);
    assert.deepEqual(
      JSON.parse(second.out).files.map(({ outcome }: { outcome: string }) => outcome),
      outcomes.map(() => "kept"),
    );
    assert.deepEqual(
      all.map((file) => read(dir, file)),
      before,
    );
  },
);

test("the command in a client's file starts the MCP server", DEADLINE, async () => {
  using temp = tempDir();
  await initIn(temp.dir, "--client", "claude");
  const { command, args } = JSON.parse(read(temp.dir, ".mcp.json")).mcpServers.troupe;
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const ran = spawnSync(command, args, {
    cwd: temp.dir,
    env: { ...process.env, HOME: temp.dir, TROUPE_ADDRESS: `unix:${temp.dir}/none.sock` },
    input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`,
    encoding: "utf8",
    timeout: 30_000,
  });
  assert.equal(JSON.parse(ran.stdout.split("\n")[0] ?? "").result.serverInfo.name, "troupe", ran.stderr);
});

test(
  "broken files stay as they are, with the text to paste, and the others are written",
  DEADLINE,
  async () => {
    using temp = tempDir();
    const { dir } = temp;
    writeFileSync(path.join(dir, ".mcp.json"), '{"mcpServers": {');
    writeFileSync(path.join(dir, ".vscode"), "a file");
    writeFileSync(path.join(dir, ".gitignore"), Buffer.from([0xff, 0xfe, 0x61]));
    const { code, out } = await initIn(dir, "--client", "claude,vscode,cursor");
    assert.equal(code, 1);
    assert.match(
      out,
      /PROBLEM {2}\.mcp\.json +it is not plain JSON: [^\n]+\n\nNothing was changed[\s\S]*"mcpServers"/,
    );
    assert.match(
      out,
      /PROBLEM {2}\.vscode\/mcp\.json +it cannot be written: a file stands where its folder should be/,
    );
    assert.match(out, /PROBLEM {2}\.gitignore +it cannot be written: it is not UTF-8/);
    assert.match(out, /written {2}\.cursor\/mcp\.json/);
    assert.equal(read(dir, ".mcp.json"), '{"mcpServers": {');
  },
);

test("what is no file, and what lies elsewhere, stays as it is", DEADLINE, async () => {
  using temp = tempDir();
  const project = path.join(temp.dir, "project");
  const elsewhere = path.join(temp.dir, "elsewhere");
  for (const folder of [project, elsewhere]) mkdirSync(folder);
  writeFileSync(path.join(elsewhere, "claude.json"), "{}");
  symlinkSync("../elsewhere/claude.json", path.join(project, ".mcp.json"));
  symlinkSync("../elsewhere", path.join(project, ".vscode"));
  execFileSync("mkfifo", [path.join(project, ".gitignore")]);
  const { code, out } = await initIn(project, "--client", "claude,vscode");
  assert.equal(code, 1);
  for (const name of [".mcp.json", ".vscode/mcp.json"])
    assert.ok(out.includes(`PROBLEM  ${name.padEnd(16)}  it cannot be written: a link leads out of`), out);
  assert.match(out, /PROBLEM {2}\.gitignore +it cannot be written: it is no file/);
  assert.equal(read(elsewhere, "claude.json"), "{}");
  assert.equal(existsSync(path.join(elsewhere, "mcp.json")), false);
});

test("a folder that the user may not write is a clear error", DEADLINE, () => {
  using temp = tempDir();
  const folder = path.join(temp.dir, "fixed");
  mkdirSync(folder, { mode: 0o555 });
  chmodSync(temp.dir, 0o755);
  // Root may write anywhere, so the command runs as another user.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const ran = spawnSync(process.execPath, [CLI, "init"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    encoding: "utf8",
    ...user,
  });
  assert.equal(ran.status, 1, ran.stderr);
  assert.match(ran.stdout, /PROBLEM {2}troupe\.yaml +it cannot be written: this user may not/);
  assert.equal(existsSync(path.join(folder, "troupe.yaml")), false);
});

test("an unknown client is a usage error with the nearest name", DEADLINE, async () => {
  using temp = tempDir();
  const { code, err } = await initIn(temp.dir, "--client", "cursr");
  assert.equal(code, 64);
  assert.match(err, /did you mean cursor\? there are claude, cursor/);
  assert.equal(existsSync(path.join(temp.dir, "troupe.yaml")), false);
});

test("a file above that no longer holds is named, in a git repository too", DEADLINE, async () => {
  using temp = tempDir();
  execFileSync("git", ["init", "-q"], { cwd: temp.dir });
  writeFileSync(path.join(temp.dir, "troupe.yaml"), "");
  const below = path.join(temp.dir, "shop");
  mkdirSync(below);
  const { out } = await initIn(below);
  assert.ok(out.includes(`${path.join(temp.dir, "troupe.yaml")} no longer holds in this folder`));
  mkdirSync(path.join(below, "auth"));
  writeFileSync(path.join(below, "auth/customer.json"), "{}");
  assert.equal(spawnSync("git", ["check-ignore", "-q", "auth/customer.json"], { cwd: below }).status, 0);
});

test("a client starts Troupe in the way that holds longest", () => {
  const checkout: Installation = {
    packageRoot: "/src/troupe",
    isBuilt: false,
    npxPackage: undefined,
    onPath: false,
    node: "/n",
    cli: "/src/troupe/client/cli.ts",
  };
  const built = { ...checkout, isBuilt: true, packageRoot: "/usr/lib/node_modules/troupe" };
  assert.deepEqual(ownCommand("/p", checkout), { program: "/n", args: [checkout.cli] });
  assert.deepEqual(ownCommand("/p", { ...built, onPath: true }), { program: "troupe", args: [] });
  const local = { ...built, packageRoot: "/p/node_modules/troupe", onPath: true };
  assert.deepEqual(ownCommand("/p", local), { program: "npx", args: ["troupe"] });
  assert.deepEqual(ownCommand("/p", { ...built, npxPackage: "troupe@1" }), {
    program: "npx",
    args: ["-y", "-p", "troupe@1", "troupe"],
  });
});

for (const [what, text, found] of [
  ["as npx writes it", '{"_npx": {"packages": ["troupe@1"]}}', "troupe@1"],
  ["that is broken", '{"_npx": {', undefined],
  ["that is no object", "null", undefined],
  ["with a package that is no text", '{"_npx": {"packages": [{}]}}', undefined],
  ["without packages", "{}", undefined],
] as const) {
  test(`a package.json ${what} in the cache of npx names ${found ?? "no package"}`, () => {
    using temp = tempDir();
    const folder = path.join(temp.dir, "_npx/0123");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "package.json"), text);
    assert.equal(npxPackageAt(path.join(folder, "node_modules/troupe")), found);
  });
}
