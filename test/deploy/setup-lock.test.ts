import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SetupFailure } from "../../deploy/setup-decisions.mjs";
import { withLock } from "../../deploy/setup-lock.mjs";

test("of many set-ups at once only one works at a time, and nothing is left behind", async () => {
  await using folder = await temporaryFolder();
  let working = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++working);
    await readdir(folder.path);
    working--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(folder.lock, {}, work)));
  assert.equal(most, 1);
  assert.deepEqual(await readdir(folder.path), []);
});

test("a set-up that fails gives the lock back", async () => {
  await using folder = await temporaryFolder();
  const failing = () => Promise.reject(new Error("no network"));
  await assert.rejects(withLock(folder.lock, {}, failing), /no network/);
  assert.deepEqual(await readdir(folder.path), []);
});

test("the place of a set-up that was killed is taken", async () => {
  await using folder = await temporaryFolder();
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  await folder.hold(`process ${child.pid} on ${hostname()}`);
  let worked = false;
  await withLock(folder.lock, { waitMs: 0 }, async () => {
    worked = true;
  });
  assert.ok(worked);
  assert.deepEqual(await readdir(folder.path), []);
});

test("a set-up that lives, or of which nothing can be known, is waited for and then named", async () => {
  await using folder = await temporaryFolder();
  for (const holder of [`process ${process.pid} on ${hostname()}`, "process 1 on elsewhere"]) {
    await folder.hold(holder);
    const said: string[] = [];
    const waiting = withLock(folder.lock, { waitMs: 0, say: (text) => said.push(text) }, async () => {});
    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof SetupFailure);
      assert.equal(error.exitCode, 69);
      assert.ok(error.message.includes(holder) && error.message.includes(`remove ${folder.lock}`));
      return true;
    });
    assert.deepEqual(said, [`waiting for another set-up of this checkout (${holder}) …`]);
  }
});

test("a checkout that cannot be written is said", { skip: process.platform !== "linux" }, async () => {
  await assert.rejects(
    withLock("/sys/troupe-setup.lock", {}, async () => {}),
    (error) => error instanceof SetupFailure && error.exitCode === 78 && /may not write/.test(error.message),
  );
});

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), "troupe-test-"));
  const lock = join(path, "lock");
  return {
    path,
    lock,
    async hold(holder: string): Promise<void> {
      await mkdir(lock, { recursive: true });
      await writeFile(join(lock, "holder"), holder);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
