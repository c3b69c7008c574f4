import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { CredentialSettings } from "../../../daemon/credentials/read-source.ts";
import { RoleCredentials } from "../../../daemon/credentials/role-credentials.ts";
import { fakeClock } from "../../harness/fake-clock.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const { dir } = shared(tempDir());
const origins = ["https://shop.example"];
const env = { PATH: process.env.PATH, SHOP_TOKEN: "from-the-variable" };

function fileOf(name: string, text: string): CredentialSettings {
  const file = path.join(dir, name);
  writeFileSync(file, text, { mode: 0o600 });
  return { file: { path: file, shown: name }, origins };
}

/** A command that counts its runs in a file and prints a text. */
function commandOf(script: string): CredentialSettings {
  return { command: { words: [process.execPath, "-e", script], cwd: dir }, origins };
}

function credentialsOf(settings: Record<string, CredentialSettings>, clock = fakeClock()) {
  return new RoleCredentials(() => settings, { env, clock });
}

test("a value comes from a file, a variable or a command, without its line's end", async () => {
  const credentials = credentialsOf({
    file: fileOf("password", " kept spaces \r\n"),
    variable: { env: "SHOP_TOKEN", origins },
    command: commandOf(`process.stdout.write(process.cwd() + " " + process.env.SHOP_TOKEN + "\\n")`),
  });
  assert.deepEqual(await credentials.read("file"), { value: " kept spaces " });
  assert.deepEqual(await credentials.read("variable"), { value: "from-the-variable" });
  assert.deepEqual(await credentials.read("command"), { value: `${dir} from-the-variable` });
});

test("no shell reads the words of a command", async () => {
  const credentials = credentialsOf({
    command: { command: { words: ["printf", "%s", "$SHOP_TOKEN;`id`|cat"], cwd: dir }, origins },
  });
  assert.deepEqual(await credentials.read("command"), { value: "$SHOP_TOKEN;`id`|cat" });
});

test("a file is read each time, and a command's output serves a minute", async () => {
  const clock = fakeClock();
  const runs = path.join(dir, "runs");
  const credentials = credentialsOf(
    {
      file: fileOf("changing", "first-value"),
      command: commandOf(
        `require("fs").appendFileSync(${JSON.stringify(runs)}, "x"); console.log("printed")`,
      ),
    },
    clock,
  );
  const count = () => (existsSync(runs) ? readFileSync(runs, "utf8").length : 0);
  assert.deepEqual(await credentials.read("file"), { value: "first-value" });
  fileOf("changing", "second-value");
  assert.deepEqual(await credentials.read("file"), { value: "second-value" });
  await Promise.all([credentials.read("command"), credentials.read("command")]);
  assert.equal(count(), 1, "calls at the same time share a run");
  clock.pass(59_000);
  await credentials.read("command");
  assert.equal(count(), 1);
  clock.pass(2_000);
  await credentials.read("command");
  assert.equal(count(), 2);
  credentials.forget();
  await credentials.read("command");
  assert.equal(count(), 3, "a reload reads again");
});

test("a source without a value gives its reason, and a command's words are not among them", async () => {
  const credentials = credentialsOf({
    gone: { file: { path: path.join(dir, "gone"), shown: "gone" }, origins },
    folder: { file: { path: dir, shown: "." }, origins },
    large: fileOf("large", "x".repeat(20_000)),
    long: fileOf("long", "x".repeat(5_000)),
    empty: fileOf("empty", "\n"),
    binary: fileOf("binary", "a\0b"),
    unset: { env: "NOT_SET", origins },
    fails: commandOf(`console.error("the secret is hunter2"); process.exit(3)`),
    missing: { command: { words: ["no-such-program-here"], cwd: dir }, origins },
    endless: commandOf(`for (;;) process.stdout.write("x".repeat(1000))`),
    seed: { totp: fileOf("seed", "hunter-2!"), origins },
  });
  for (const [name, problem] of [
    ["gone", "is not there"],
    ["folder", "is a folder"],
    ["large", "is larger than 16 KiB"],
    ["long", "is longer than 4096 characters"],
    ["empty", "is empty"],
    ["binary", "holds no text"],
    ["unset", "is not set"],
    ["fails", "ended with exit code 3"],
    ["missing", "is not there"],
    ["endless", "printed more than 16384 bytes"],
    ["seed", "holds no seed: neither base32 nor an otpauth:// address"],
    ["toString", "is not configured any more"],
  ] as const)
    assert.deepEqual(await credentials.read(name), { problem }, name);
});

test("a worker that starts learns the values that need no command, and those that were given before", async () => {
  const credentials = credentialsOf({
    file: fileOf("known", "known-value"),
    gone: { file: { path: path.join(dir, "gone"), shown: "gone" }, origins },
    command: commandOf(`console.log("printed-value")`),
    code: { totp: fileOf("good-seed", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"), origins },
  });
  assert.deepEqual(await credentials.known({ restores: false }), ["known-value"]);
  await credentials.read("command");
  assert.deepEqual(await credentials.known({ restores: false }), ["known-value", "printed-value"]);
});

test("a worker that restores sessions learns what commands print, each run once", async () => {
  const runs = path.join(dir, "runs-for-restored");
  const note = `require("fs").appendFileSync(${JSON.stringify(runs)}, "x");`;
  const credentials = credentialsOf({
    command: commandOf(`${note} console.log("printed-value")`),
    fails: commandOf(`${note} process.exit(3)`),
  });
  for (let start = 0; start < 2; start++)
    assert.deepEqual(await credentials.known({ restores: true }), ["printed-value"]);
  assert.equal(readFileSync(runs, "utf8"), "xx");
});
