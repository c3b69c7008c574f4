import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { LogWriter } from "../../daemon/log-writer.ts";
import { tempDir, until } from "./fixtures/daemon.ts";

/** A pipe that nobody reads until `read` is called. */
function pipe() {
  const temp = tempDir();
  const file = path.join(temp.dir, "pipe");
  assert.equal(spawnSync("mkfifo", [file]).status, 0);
  const reading = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const writing = openSync(file, constants.O_WRONLY);
  return {
    writing,
    /** What is in it now. */
    read(): string {
      const bytes = Buffer.alloc(2 ** 16);
      try {
        return bytes.toString("utf8", 0, readSync(reading, bytes));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, "EAGAIN");
        return "";
      }
    },
    [Symbol.dispose]() {
      closeSync(writing);
      closeSync(reading);
      temp[Symbol.dispose]();
    },
  };
}

const LINES = 3000;
const text = "x".repeat(1000);

test("who writes to a reader that has stalled goes on; what is too much is dropped, counted, and told", async () => {
  using stalled = pipe();
  using writer = new LogWriter(stalled.writing, (dropped) => `dropped ${dropped}\n`);
  for (let line = 0; line < LINES; line++) writer.write(`${line} ${text}\n`);
  assert.ok(writer.dropped > 0 && writer.dropped < LINES, `${writer.dropped} dropped`);
  let read = "";
  await until(() => {
    read += stalled.read();
    return /^dropped \d+$/m.test(read);
  }, "the reader has all of it");
  const kept = LINES - writer.dropped;
  assert.deepEqual(
    read.split("\n").map((line) => line.split(" x")[0]),
    [...Array.from({ length: kept }, (_, line) => String(line)), `dropped ${writer.dropped}`, ""],
  );
});

test("the last lines wait for their reader, but not for ever", () => {
  using stalled = pipe();
  const writer = new LogWriter(stalled.writing, () => "");
  for (let line = 0; line < LINES; line++) writer.write(text);
  writer[Symbol.dispose]();
});

test("a reader that is gone ends nothing", () => {
  const writer = new LogWriter(9999, () => "");
  writer.write("to nobody\n");
  assert.equal(writer.dropped, 1);
});
