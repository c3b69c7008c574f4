import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "./options.ts";

test("faults are chosen by words, each of which must fit", () => {
  assert.deepEqual(readOptions(["--only", "STALE_REF", "--only=frame"]), {
    help: false,
    only: ["STALE_REF", "frame"],
  });
  assert.deepEqual(readOptions(["--help"]), { help: true, only: [] });
});

test("what is not known is said, and so is what lacks its value", () => {
  assert.deepEqual(readOptions(["--olny"]), { problem: 'unknown argument "--olny"; --help lists them' });
  assert.deepEqual(readOptions(["--only"]), { problem: "--only needs a value" });
});
