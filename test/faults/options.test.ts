import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "./options.ts";

test("faults are chosen by words that must all match", () => {
  assert.deepEqual(readOptions(["--only", "STALE_REF", "--only=frame"]), {
    help: false,
    only: ["STALE_REF", "frame"],
  });
  assert.deepEqual(readOptions(["--help"]), { help: true, only: [] });
});

test("unknown options and missing values are reported", () => {
  assert.deepEqual(readOptions(["--olny"]), { problem: 'unknown argument "--olny"; --help lists them' });
  assert.deepEqual(readOptions(["--only"]), { problem: "--only needs a value" });
});
