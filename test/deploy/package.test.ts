// The package as users get it: packed, installed in an empty folder, and run by each Node that it supports.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Lines } from "../harness/events/lines.ts";

const OUTPUT_BYTES_MAX = 64 * 2 ** 20;
/** The build and the installation take their time on a busy machine. */
const PREPARE = { timeout: 600_000 };
const READY_MS_MAX = 60_000;
const root = path.join(import.meta.dirname, "../..");
const run = promisify(execFile);
const npm = (cwd: string, ...args: string[]) => run("npm", args, { cwd, maxBuffer: OUTPUT_BYTES_MAX });
/** Each version's program, from the package that npm has for this platform. */
const programOf = (version: string) =>
  version === "pinned"
    ? process.execPath
    : path.join(folder, "nodes/node_modules", `node${version}`, "bin/node");
const OLDEST = "22.16";
const VERSIONS = [OLDEST, "24"];
const QUICK = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"];
/** The search path with a Node that Troupe runs on, because the machine's own may be older. */
const searchPath = (...before: string[]) =>
  [...before, path.dirname(programOf("24")), process.env.PATH].join(path.delimiter);
const TSCONFIG = {
  compilerOptions: { module: "nodenext", target: "es2022", strict: true },
  files: ["program.ts"],
};
const PROGRAM = `
  import { connect, TroupeError } from "troupe";
  import { openaiTools } from "troupe/adapters";
  await using troupe = await connect({ stateDir: process.argv[2] });
  const { session } = troupe;
  console.log((await session.navigate({ url: "data:text/html,<button>Pay</button>" })).text);
  console.log((await openaiTools(session)).tools.length > 0, typeof TroupeError);
`;

const folder = mkdtempSync(path.join(tmpdir(), "troupe-package-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const user = path.join(folder, "user");
const packed = await install();

/** Packs the package, and installs it with each Node. */
async function install(): Promise<{ filename: string; size: number; files: { path: string }[] }> {
  const { stdout } = await npm(root, "pack", "--json", "--silent", "--pack-destination", folder);
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  writeFileSync(path.join(folder, "package.json"), "{}");
  const nodes = VERSIONS.map(
    (version) => `node${version}@npm:node-${process.platform}-${process.arch}@${version}`,
  );
  await npm(folder, "install", "--prefix", "nodes", ...QUICK, ...nodes);
  await npm(
    folder,
    "install",
    "--prefix",
    "user",
    ...QUICK,
    "--omit=optional",
    path.join(folder, packed.filename),
  );
  return packed;
}

const HELD =
  /^(?:dist|docs|examples|deploy\/(?:grafana|prometheus|proxy|systemd)|skills)\/|^(?:client\/troupe\.cjs|package\.json|LICENSE|[A-Z]+\.md|deploy\/CAPACITY\.md|test\/bench\/RESULTS\.md)$/;

test("the package holds the built programs and their pages alone, in at most 2 MB", () => {
  assert.ok(packed.size <= 2e6, `${packed.size} bytes`);
  const others = packed.files.filter(({ path: file }) => !HELD.test(file));
  assert.deepEqual(others, []);
});

test("the pages' links lead to files of the package, and so do the names of pages in messages", () => {
  const files = new Set(packed.files.map(({ path: file }) => file));
  const pages = [...files].filter((file) => /^(?:README|docs\/[A-Z]+|examples\/README)\.md$/.test(file));
  const linked = pages.flatMap((page) => {
    const text = readFileSync(path.join(user, "node_modules/troupe", page), "utf8");
    const relative = [...text.matchAll(/\]\((?!\w+:)([^)#]+)/g)].map(([, link = ""]) => link);
    return relative.map((link) => path.posix.join(path.posix.dirname(page), link));
  });
  assert.ok(linked.length > 20);
  const missing = [...linked, "docs/CONFIGURATION.md", "docs/troupe.schema.json"].filter(
    (file) => !files.has(file),
  );
  assert.deepEqual(missing, []);
});

test("installed without a browser, it takes at most 60 MB", () => {
  const bytes = readdirSync(path.join(user, "node_modules"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
  assert.ok(bytes <= 60e6, `${bytes} bytes`);
});

for (const version of [...VERSIONS, "pinned"]) {
  test(`troupe mcp shows a page (Node ${version})`, async () => {
    const stateDir = path.join(folder, `state-${version}`);
    const args = [path.join(user, "node_modules/.bin/troupe")];
    const env = {
      ...(process.env as Record<string, string>),
      TROUPE_STATE_DIR: stateDir,
      TROUPE_HTTP: "off",
    };
    const command = programOf(version);
    const client = new Client({ name: "package", version: "1" });
    const transport = new StdioClientTransport({
      command,
      args: [...args, "mcp"],
      cwd: user,
      env,
      stderr: "pipe",
    });
    let complaints = "";
    transport.stderr?.on("data", (chunk) => (complaints += chunk));
    await client.connect(transport);
    try {
      const url = "data:text/html,<button>Pay</button>";
      const reply = await client.callTool({ name: "browser_navigate", arguments: { url } });
      assert.match(JSON.stringify(reply.content), /button .*Pay/);
      assert.match(complaints, /^troupe mcp: started a daemon/m);
      // Node 22 and 24 warn of SQLite, which the daemon uses.
      assert.doesNotMatch(complaints + readFileSync(path.join(stateDir, "daemon.log"), "utf8"), /Warning/);
    } finally {
      await client.close();
      await run(command, [...args, "drain"], { cwd: user, env });
    }
  });
}

test("a program of the SDK compiles with an ordinary strict configuration, and runs on Node 22.16", async () => {
  writeFileSync(path.join(user, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(path.join(user, "program.ts"), PROGRAM);
  writeFileSync(path.join(user, "tsconfig.json"), JSON.stringify(TSCONFIG));
  await run(process.execPath, [path.join(root, "node_modules/typescript/bin/tsc")], { cwd: user }).catch(
    ({ stdout }) => assert.fail(stdout),
  );
  const stateDir = path.join(folder, "state-sdk");
  const { stdout } = await run(programOf(OLDEST), ["program.js", stateDir], { cwd: user });
  assert.match(stdout, /button "Pay"[\s\S]*true function/);
  const env = { ...process.env, TROUPE_STATE_DIR: stateDir };
  await run(programOf(OLDEST), [path.join(user, "node_modules/.bin/troupe"), "drain"], { cwd: user, env });
});

for (const version of VERSIONS) {
  test(`a daemon in the foreground shows no warnings of Node (Node ${version})`, async () => {
    const command = programOf(version);
    const troupe = path.join(user, "node_modules/.bin/troupe");
    const env = { ...process.env, TROUPE_STATE_DIR: path.join(folder, `state-of-daemon-${version}`) };
    const daemon = spawn(command, [troupe, "daemon", "--http", "off"], { cwd: user, env });
    const said = new Lines();
    for (const stream of [daemon.stdout, daemon.stderr]) said.read(stream);
    const ended = once(daemon, "close");
    await said.have("Ctrl-C ends it.", 1, READY_MS_MAX);
    const { stdout, stderr } = await run(command, [troupe, "reload"], { cwd: user, env });
    daemon.kill("SIGTERM");
    await ended;
    assert.doesNotMatch(said.all.join("\n") + stdout + stderr, /Warning:|ExperimentalWarning/);
  });
}

test("npm install -g puts a troupe on the path that starts by its name", PREPARE, async () => {
  const prefix = path.join(folder, "global");
  await npm(
    folder,
    "install",
    "-g",
    "--prefix",
    prefix,
    ...QUICK,
    "--omit=optional",
    path.join(folder, packed.filename),
  );
  const env = { ...process.env, PATH: searchPath(path.join(prefix, "bin")) };
  const { stdout } = await run("troupe", ["--version"], { cwd: folder, env });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  const project = path.join(folder, "project");
  mkdirSync(project);
  await run("troupe", ["init", "--client", "claude"], { cwd: project, env });
  const { mcpServers } = JSON.parse(readFileSync(path.join(project, ".mcp.json"), "utf8"));
  assert.deepEqual(mcpServers.troupe, { command: "troupe", args: ["mcp"] });
});

test("npx runs the tarball, and troupe init writes a command that finds it again", PREPARE, async () => {
  const project = path.join(folder, "npx");
  mkdirSync(project);
  const tarball = path.join(folder, packed.filename);
  const env = {
    ...process.env,
    PATH: searchPath(),
    npm_config_cache: path.join(folder, "cache"),
    npm_config_omit: "optional",
  };
  const init = ["--yes", "--package", tarball, "troupe", "init", "--client", "claude"];
  await run("npx", init, { cwd: project, env });
  const { command, args } = JSON.parse(readFileSync(path.join(project, ".mcp.json"), "utf8")).mcpServers
    .troupe;
  assert.equal(command, "npx");
  assert.equal(args.at(-1), "mcp");
  const { stdout } = await run(command, [...args.slice(0, -1), "--version"], { cwd: project, env });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test("in a checkout, ./troupe runs the pinned Node", async () => {
  const { stdout } = await run(programOf(OLDEST), [path.join(root, "troupe"), "--version"], {
    cwd: tmpdir(),
  });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});
