#!/usr/bin/env node
/**
 * Prepares a checkout: the packages of package-lock.json, with them the Node that Troupe runs on, and a browser. `npm
 * start`, `npm test` and `npm run check` run it first. It is plain JavaScript for Node 18 and later and needs nothing
 * installed. A second run does nothing twice.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  explainNpmFailure,
  installedMatchesLock,
  parseArguments,
  SetupFailure,
  unsupportedPlatform,
} from "./setup-decisions.mjs";
import { withLock } from "./setup-lock.mjs";

const usage = `Makes this checkout ready: packages, the pinned Node, and a browser. Running it again does nothing twice.

usage: node deploy/setup.mjs [--no-browser]

  --no-browser  leave the browser out: what only checks or builds needs none
  --help        this text

examples:
  node deploy/setup.mjs
  TROUPE_BROWSER=/opt/chrome/chrome node deploy/setup.mjs
  TROUPE_BROWSER=embedded npm start

exit codes: 0 ready, 64 usage, 69 something is missing that the network or the machine should give, 78 the checkout
or the machine's settings are at fault
`;

const installTimeoutMs = 15 * 60_000;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const pinnedNode = join(root, "node_modules/.bin/node");
const stampFile = join(root, "node_modules/.troupe-setup");

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupFailure)) throw error;
  process.stderr.write(`setup: ${error.message}\n`);
  process.exitCode = error.exitCode;
}

/** @param {string[]} args */
async function main(args) {
  const { help, browser } = parseArguments(args);
  if (help) {
    process.stdout.write(usage);
    return 0;
  }
  const unsupported = unsupportedPlatform(process);
  if (unsupported) throw new SetupFailure(69, unsupported);
  if (!isInstalled()) await withLock(join(root, ".troupe-setup.lock"), { say }, installUnlessInstalled);
  return browser ? findBrowser() : 0;
}

/** Returns true if node_modules matches package-lock.json. */
function isInstalled() {
  return stamp() === readIfThere(stampFile) && existsSync(pinnedNode);
}

/** Identifies an installation: the packages, the system and the processor. */
function stamp() {
  const lock = createHash("sha256").update(readLock()).digest("hex");
  return `${lock} ${process.platform} ${process.arch}\n`;
}

async function installUnlessInstalled() {
  // The previous holder of the lock may have installed it.
  if (isInstalled()) return;
  const hidden = readIfThere(join(root, "node_modules/.package-lock.json"));
  const byHand = hidden !== undefined && installedMatchesLock(JSON.parse(readLock()), JSON.parse(hidden));
  if (!byHand) {
    refuseForeignFolder();
    await install();
  }
  requirePinnedNode();
  writeFileSync(stampFile, stamp());
}

/** npm empties the folder that it installs into, even if it is another checkout's. */
function refuseForeignFolder() {
  const folder = join(root, "node_modules");
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new SetupFailure(
    78,
    `${folder} is a symbolic link, and what it leads to does not fit package-lock.json: an installation would empty it. Set up the checkout that it belongs to, or remove the link (rm ${folder}) and try again.`,
  );
}

async function install() {
  say("installing the packages and the right Node (once; it can take some minutes) …");
  const startedAtMs = Date.now();
  // The npm that runs this script is used, else the one on the PATH. A checkout needs development packages too.
  const npm = process.env.npm_execpath?.endsWith(".js")
    ? [process.execPath, process.env.npm_execpath]
    : ["npm"];
  const command = [
    ...npm,
    "ci",
    "--include=dev",
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
  ];
  const { code, output } = await run(command);
  if (code !== 0) {
    const { exitCode, message } = explainNpmFailure(output, root);
    throw new SetupFailure(exitCode, message);
  }
  say(`installed in ${Math.round((Date.now() - startedAtMs) / 1000)} s`);
}

/** npm leaves the program out without an error if install scripts are switched off. */
function requirePinnedNode() {
  const wanted = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies.node;
  const { stdout, stderr, error } = spawnSync(pinnedNode, ["--version"], { encoding: "utf8" });
  if (stdout?.trim() === `v${wanted}`) return;
  if (!existsSync(pinnedNode)) {
    throw new SetupFailure(
      69,
      `npm installed the package "node" without its program: its install script did not run. Run\n  npm rebuild node --ignore-scripts=false\nin ${root} and try again.`,
    );
  }
  const said = stdout?.trim() || stderr?.trim().split("\n")[0] || error?.message;
  throw new SetupFailure(
    69,
    `${pinnedNode} should be Node ${wanted}, but says: ${said}. It needs a Linux with glibc 2.28 or later (not musl), or macOS. If the folder came from another machine, remove ${join(root, "node_modules")} and try again.`,
  );
}

/** Prints the browser's line, or what is missing, and returns the exit code. */
function findBrowser() {
  const { status } = spawnSync(pinnedNode, [join(root, "worker/chrome/prepare.ts")], { stdio: "inherit" });
  return status ?? 69;
}

/**
 * @param {string[]} command
 * @returns {Promise<{ code: number | null, output: string }>} the exit code and the whole output
 */
function run([program, ...args]) {
  return new Promise((resolve) => {
    // The option `timeout` would not do: its timer keeps the process waiting if the program could not be started.
    const signal = AbortSignal.timeout(installTimeoutMs);
    // While npm packs, a script of this installation would build, and wait for the lock that this program holds.
    const { npm_package_resolved: _, ...env } = process.env;
    const child = spawn(program, args, { cwd: root, env, signal, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-64_000);
      });
    }
    child.on("error", (error) => resolve({ code: null, output: `${error.code} ${error.message}` }));
    child.on("close", (code) => resolve({ code, output }));
  });
}

function readLock() {
  const lock = readIfThere(join(root, "package-lock.json"));
  if (lock === undefined)
    throw new SetupFailure(
      78,
      `package-lock.json is missing in ${root}: restore it (git checkout package-lock.json).`,
    );
  return lock;
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`setup: ${text}\n`);
}
