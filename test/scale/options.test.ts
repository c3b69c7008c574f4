import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "./options.ts";

const defaults = { help: false, only: [], sessions: 60, seconds: 15 };

test("phases are chosen by name, and their extent by numbers", () => {
  assert.deepEqual(readOptions([]), defaults);
  assert.deepEqual(readOptions(["--only", "hop", "--only=store", "--sessions", "6", "--seconds=3", "-h"]), {
    help: true,
    only: ["hop", "store"],
    sessions: 6,
    seconds: 3,
  });
});

test("unknown options and invalid numbers are reported", () => {
  assert.deepEqual(readOptions(["--session", "1"]), {
    problem: 'unknown argument "--session"; --help lists them',
  });
  for (const text of ["0", "-1", "1.5", "many"])
    assert.match(JSON.stringify(readOptions([`--sessions=${text}`])), /whole number above 0/);
});
