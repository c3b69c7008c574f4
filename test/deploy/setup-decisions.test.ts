import assert from "node:assert/strict";
import { test } from "node:test";
import {
  explainNpmFailure,
  installedMatchesLock,
  parseArguments,
  SetupFailure,
  unsupportedPlatform,
} from "../../deploy/setup-decisions.mjs";

test("the set-up knows its arguments and refuses others with the usage exit code", () => {
  assert.deepEqual(parseArguments([]), { help: false, browser: true });
  assert.deepEqual(parseArguments(["--no-browser"]), { help: false, browser: false });
  assert.equal(parseArguments(["--help"]).help, true);
  assert.throws(
    () => parseArguments(["--browser"]),
    (error) => error instanceof SetupFailure && error.exitCode === 64 && /--no-browser/.test(error.message),
  );
});

test("Linux and macOS on x64 and arm64 are served, any other machine is told why not", () => {
  const machine = (platform: string, arch: string, node = "20.1.0") =>
    unsupportedPlatform({ platform, arch, versions: { node } });
  for (const platform of ["linux", "darwin"]) {
    for (const arch of ["x64", "arm64"]) assert.equal(machine(platform, arch), undefined);
  }
  assert.match(machine("win32", "x64") ?? "", /WSL/);
  assert.match(machine("linux", "riscv64") ?? "", /this machine is linux riscv64/);
  assert.match(machine("freebsd", "x64") ?? "", /this machine is freebsd x64/);
  assert.match(machine("linux", "x64", "16.20.2") ?? "", /Node 16\.20\.2 is too old/);
});

test("an installation made by hand counts if it holds what the lock file says, whatever the system leaves out", () => {
  const lock = {
    packages: {
      "": { version: "0.1.0" },
      "node_modules/a": { version: "1.0.0" },
      "node_modules/b-darwin": { version: "2.0.0", optional: true },
    },
  };
  const hidden = (packages: Record<string, { version: string }>) => ({ packages });
  assert.equal(installedMatchesLock(lock, hidden({ "node_modules/a": { version: "1.0.0" } })), true);
  assert.equal(installedMatchesLock(lock, hidden({ "node_modules/a": { version: "1.0.1" } })), false);
  assert.equal(installedMatchesLock(lock, hidden({ "node_modules/b-darwin": { version: "2.0.0" } })), false);
  const more = { "node_modules/a": { version: "1.0.0" }, "node_modules/c": { version: "1.0.0" } };
  assert.equal(installedMatchesLock(lock, hidden(more)), false);
});

test("npm's failures are said as what is wrong and how to mend it", () => {
  const explained = (output: string) => explainNpmFailure(output, "/checkout");
  const table = [
    ["npm error code EAI_AGAIN", 69, /registry cannot be reached.*proxy/],
    ["npm error code ENOSPC", 69, /disk is full.*\/checkout/],
    ["npm error code EROFS", 78, /may not write to \/checkout/],
    ["npm error code EACCES", 78, /may not write/],
    ["ENOENT spawn npm ENOENT", 69, /npm is not on the PATH/],
    ["npm error code SELF_SIGNED_CERT_IN_CHAIN", 69, /cafile/],
    ["npm error code E404", 69, /lacks a package/],
    ["npm error code EINTEGRITY", 69, /not what package-lock\.json says/],
    ["ABORT_ERR The operation was aborted", 69, /did not finish/],
    [
      "`npm ci` can only install packages when your package.json and package-lock.json are in sync",
      78,
      /git checkout/,
    ],
    ["something else", 69, /Mend what npm says/],
  ] as const;
  for (const [output, exitCode, message] of table) {
    assert.equal(explained(output).exitCode, exitCode, output);
    assert.match(explained(output).message.replaceAll("\n", " "), message);
  }
});

test("of what npm said, the lines that help are kept, and no more than six", () => {
  const warnings = "npm warn deprecated x\n";
  const said = `${warnings}npm error code E404\nnpm error\n${"npm error 404 Not Found\n".repeat(9)}A complete log of this run can be found in: /x`;
  const { message } = explainNpmFailure(said, "/checkout");
  assert.doesNotMatch(message, /deprecated|complete log/);
  assert.equal(message.match(/^ {2}npm error/gm)?.length, 6);
  assert.match(explainNpmFailure("", "/checkout").message, /\(nothing\)/);
});
