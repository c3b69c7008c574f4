// The package as users get it: packed, installed in an empty folder, and run by each Node that it supports.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const OUTPUT_BYTES_MAX = 64 * 2 ** 20;
/** The build and the installation take their time on a busy machine. */
const PREPARE = { timeout: 600_000 };
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
const TSCONFIG = {
  compilerOptions: { module: "nodenext", target: "es2022", strict: true, types: ["node"] },
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

let folder = "";
let user = "";
let packed: { filename: string; size: number; files: { path: string }[] };
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "troupe-package-"));
  user = path.join(folder, "user");
  const { stdout } = await npm(root, "pack", "--json", "--silent", "--pack-destination", folder);
  [packed] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  writeFileSync(path.join(folder, "package.json"), "{}");
  const quick = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"];
  const nodes = VERSIONS.map(
    (version) => `node${version}@npm:node-${process.platform}-${process.arch}@${version}`,
  );
  await npm(folder, "install", "--prefix", "nodes", ...quick, ...nodes);
  await npm(
    folder,
    "install",
    "--prefix",
    "user",
    ...quick,
    "--omit=optional",
    path.join(folder, packed.filename),
  );
}, PREPARE);
after(() => rmSync(folder, { recursive: true, force: true }));

test("the package holds the built programs alone, in at most 2 MB", () => {
  assert.ok(packed.size <= 2e6, `${packed.size} bytes`);
  const others = packed.files.filter(
    ({ path: file }) => !/^(?:dist\/|client\/troupe\.cjs$|package\.json$|README\.md$|LICENSE$)/.test(file),
  );
  assert.deepEqual(others, []);
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
    await client.connect(
      new StdioClientTransport({ command, args: [...args, "mcp"], cwd: user, env, stderr: "ignore" }),
    );
    try {
      const url = "data:text/html,<button>Pay</button>";
      const reply = await client.callTool({ name: "browser_navigate", arguments: { url } });
      assert.match(JSON.stringify(reply.content), /button .*Pay/);
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

test("in a checkout, ./troupe runs the pinned Node", async () => {
  const { stdout } = await run(programOf(OLDEST), [path.join(root, "troupe"), "--version"], {
    cwd: tmpdir(),
  });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});
