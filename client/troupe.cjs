#!/usr/bin/env node
// Starts `troupe`: from the package with the Node that runs it, from a checkout with the Node that the checkout pins.
"use strict";
const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { constants } = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

/** Programs that are not set up, or that cannot run here, end with this code (EX_UNAVAILABLE of sysexits.h). */
const UNAVAILABLE = 69;
/** The first Node with all of node:sqlite that Troupe uses. Node 23 has ended. */
const NODE_MIN = [22, 16];
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"];

const root = path.join(__dirname, "..");
const source = path.join(root, "client/cli.ts");
if (existsSync(source)) startCheckout();
else startPackage();

function startPackage() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major >= 24 || (major === NODE_MIN[0] && minor >= NODE_MIN[1]))
    return import(pathToFileURL(path.join(root, "dist/client/cli.js")).href);
  fail(
    `Troupe needs Node ${NODE_MIN.join(".")}, 24 or later, and this is ${process.versions.node}: install a newer one (https://nodejs.org) or run: npx -p node@24 troupe ${process.argv.slice(2).join(" ")}`,
  );
}

function startCheckout() {
  const node = path.join(root, "node_modules/.bin/node");
  if (!existsSync(node))
    return fail(`This checkout is not set up. Run: node ${path.join(root, "deploy/setup.mjs")}`);
  const args = [source, ...process.argv.slice(2)];
  if (process.execve) process.execve(node, [node, ...args], process.env);
  const child = spawn(node, args, { stdio: "inherit" });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.once("error", (error) => fail(error.message));
  child.once("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = UNAVAILABLE;
}
