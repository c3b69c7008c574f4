import assert from "node:assert/strict";
import { lstat, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { requireWritable, saveLogin } from "../../../worker/login/auth-file.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const { dir: base } = shared(tempDir());

const LOGIN = { cookies: [{ name: "sid", value: "s3cret" }], origins: [] };

async function newDir(): Promise<string> {
  return await mkdtemp(path.join(base, "d-"));
}

test("only its owner can read a login and its folder, whatever was there before", async () => {
  const dir = await newDir();
  const file = path.join(dir, "auth/deep/customer.json");
  await requireWritable(file, "auth/deep/customer.json");
  for (const folder of ["auth", "auth/deep"])
    assert.equal((await stat(path.join(dir, folder))).mode & 0o777, 0o700);
  await writeFile(file, "{}", { mode: 0o644 });
  await requireWritable(file, "auth/deep/customer.json");
  await saveLogin(file, "auth/deep/customer.json", LOGIN);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), LOGIN);
  assert.deepEqual(await readdir(path.dirname(file)), ["customer.json"]);
});

test("a link is refused before the login, and a later one is replaced, not followed", async () => {
  const dir = await newDir();
  const file = path.join(dir, "customer.json");
  const elsewhere = path.join(dir, "elsewhere.json");
  await writeFile(elsewhere, "untouched");
  await symlink(elsewhere, file);
  await assert.rejects(requireWritable(file, "customer.json"), {
    exitCode: 78,
    message: /^customer\.json is a symbolic link/,
  });
  await saveLogin(file, "customer.json", LOGIN);
  assert.equal(await readFile(elsewhere, "utf8"), "untouched");
  assert.ok((await lstat(file)).isFile());
});

test("a file that cannot be written is named as in the configuration, and leaves nothing behind", async () => {
  const dir = await newDir();
  const taken = path.join(dir, "taken");
  await mkdir(taken);
  await assert.rejects(requireWritable(taken, "taken"), { exitCode: 78, message: /^taken is a folder/ });
  await assert.rejects(saveLogin(taken, "taken", LOGIN), {
    exitCode: 1,
    message: /^cannot write taken: .*\(E\w+\)$/,
  });
  assert.deepEqual(await readdir(dir), ["taken"]);
  const file = path.join(dir, "file");
  await writeFile(file, "");
  await assert.rejects(requireWritable(path.join(file, "x.json"), "file/x.json"), {
    exitCode: 1,
    message: /^cannot write file\/x\.json: a part of its path is no folder/,
  });
});
