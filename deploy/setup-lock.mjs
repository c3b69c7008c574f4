/** Allows one set-up at a time on one checkout. Plain JavaScript for Node 18 and later. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SetupFailure } from "./setup-decisions.mjs";

const pollMs = 100;

/**
 * Runs `work` while this process holds the folder `path`. Waits for another holder, and replaces a dead one.
 * @param {string} path
 * @param {{ say?: (text: string) => void, waitMs?: number }} options
 * @param {() => Promise<void>} work
 */
export async function withLock(path, { say = () => {}, waitMs = 20 * 60_000 }, work) {
  await take(path, say, waitMs);
  try {
    await work();
  } finally {
    // The folder is moved away first. While it is being emptied, another process could move its own folder onto it.
    const aside = `${path}-done-${process.pid}`;
    renameSync(path, aside);
    rmSync(aside, { recursive: true, force: true });
  }
}

async function take(path, say, waitMs) {
  const untilMs = Date.now() + waitMs;
  for (let said = false; !tryTake(path); said = true) {
    const holder = holderOf(path);
    if (holder && isDead(holder)) {
      removeDead(path, holder);
      continue;
    }
    if (!said) say(`waiting for another set-up of this checkout (${holder ?? "just begun"}) …`);
    if (Date.now() >= untilMs) {
      throw new SetupFailure(
        69,
        `another set-up of this checkout (${holder ?? "unknown"}) does not end. If none is running, remove ${path} and try again.`,
      );
    }
    await setTimeout(pollMs);
  }
}

/** Makes the folder with the holder's name in it in one step. A folder can only be moved onto an empty one. */
function tryTake(path) {
  let own;
  try {
    own = mkdtempSync(`${path}-`);
    writeFileSync(join(own, "holder"), me());
    renameSync(own, path);
    return true;
  } catch (error) {
    if (own) rmSync(own, { recursive: true, force: true });
    if (error.code === "ENOTEMPTY" || error.code === "EEXIST") return false;
    if (error.code === "EROFS" || error.code === "EACCES" || error.code === "EPERM") {
      throw new SetupFailure(
        78,
        `this user may not write to the checkout (${error.message}). Give it the right, or clone to a folder of its own.`,
      );
    }
    if (error.code === "ENOSPC")
      throw new SetupFailure(69, `the disk is full (${error.message}). Free 1 GB and try again.`);
    throw error;
  }
}

function me() {
  return `process ${process.pid} on ${hostname()}`;
}

/** Undefined if the lock has just been released. */
function holderOf(path) {
  try {
    return readFileSync(join(path, "holder"), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** This is known only for processes of this machine. */
function isDead(holder) {
  const [, pid, host] = /^process (\d+) on (.*)$/.exec(holder) ?? [];
  if (!pid || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/**
 * Moves the folder away first, so that only one of several waiting processes removes it. A living holder's is put back.
 */
function removeDead(path, holder) {
  const aside = `${path}-dead-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  if (holderOf(aside) === holder) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, path);
}
