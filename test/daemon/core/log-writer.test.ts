import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { LogFile } from "../../../daemon/core/log-file.ts";
import { LogWriter } from "../../../daemon/core/log-writer.ts";
import { tempDir } from "../../harness/temp-dir.ts";

/** A pipe that is not read until the test calls `read`. */
function pipe() {
  const temp = tempDir();
  const file = path.join(temp.dir, "pipe");
  assert.equal(spawnSync("mkfifo", [file]).status, 0);
  const reading = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const writing = openSync(file, constants.O_WRONLY);
  let close = () => closeSync(reading);
  return {
    writing,
    /** Returns the pipe's content up to a line with the words. */
    async read(last: RegExp): Promise<string> {
      let text = "";
      // A socket reads as soon as it exists. The end of the loop closes it.
      close = () => undefined;
      for await (const chunk of new Socket({ fd: reading, writable: false }).setEncoding("utf8")) {
        text += chunk;
        if (last.test(text)) break;
      }
      return text;
    },
    [Symbol.dispose]() {
      closeSync(writing);
      close();
      temp[Symbol.dispose]();
    },
  };
}

const LINES = 3000;
const text = "x".repeat(1000);

test("a stalled reader does not block the writer; excess lines are dropped, counted and reported", async () => {
  using stalled = pipe();
  using writer = new LogWriter(stalled.writing, (dropped) => `dropped ${dropped}\n`);
  for (let line = 0; line < LINES; line++) writer.write(`${line} ${text}\n`);
  assert.ok(writer.dropped > 0 && writer.dropped < LINES, `${writer.dropped} dropped`);
  const read = await stalled.read(/^dropped \d+$/m);
  const kept = LINES - writer.dropped;
  assert.deepEqual(
    read.split("\n").map((line) => line.split(" x")[0]),
    [...Array.from({ length: kept }, (_, line) => String(line)), `dropped ${writer.dropped}`, ""],
  );
});

test("the last lines wait for their reader, but not forever", () => {
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

test("the log's own file is rotated while it grows, and other writers to it go on", () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "daemon.log");
  const fd = openSync(file, "a");
  const writer = new LogWriter(fd, () => "", LogFile.behind(fd, file, 10_000));
  for (let line = 0; line < 100; line++) writer.write(`${line} ${text}\n`);
  writeSync(fd, "a stack\n");
  const [earlier, newest] = [`${file}.1`, file].map((each) => readFileSync(each, "utf8"));
  assert.ok(earlier && newest && earlier.length < 12_000 && newest.length < 12_000);
  const lines = `${earlier}${newest}`.split("\n").map((line) => line.split(" x")[0]);
  const first = Number(lines[0]);
  assert.deepEqual(lines, [
    ...Array.from({ length: 100 - first }, (_, index) => String(first + index)),
    "a stack",
    "",
  ]);
  closeSync(fd);
});

test("a log in another program's file is not rotated", () => {
  using temp = tempDir();
  const fd = openSync(path.join(temp.dir, "mine.log"), "a");
  for (const name of ["daemon.log", "none.log"]) {
    if (name === "daemon.log") closeSync(openSync(path.join(temp.dir, name), "a"));
    assert.equal(LogFile.behind(fd, path.join(temp.dir, name)), undefined);
  }
  closeSync(fd);
});
