import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "./options.ts";

const defaults = {
  help: false,
  list: false,
  only: [],
  part: undefined,
  minutes: 10,
  kills: 1000,
  sessions: 1000,
  inputs: 5000,
  seed: 1,
};

test("scenarios are chosen by name, and their extent by numbers", () => {
  assert.deepEqual(readOptions([]), defaults);
  assert.deepEqual(readOptions(["--only", "soak", "--minutes=0.5", "--kills", "20", "--part", "popups"]), {
    ...defaults,
    only: ["soak"],
    part: "popups",
    minutes: 0.5,
    kills: 20,
  });
  assert.deepEqual(readOptions(["--list", "-h"]), { ...defaults, list: true, help: true });
});

test("unknown options and invalid numbers are reported", () => {
  assert.deepEqual(readOptions(["--minute", "1"]), {
    problem: 'unknown argument "--minute"; --help lists them',
  });
  assert.deepEqual(readOptions(["--minutes"]), { problem: "--minutes needs a value" });
  assert.deepEqual(readOptions(["--kills", "many"]), {
    problem: '--kills needs a number above 0, not "many"',
  });
  assert.deepEqual(readOptions(["--minutes", "0"]), { problem: '--minutes needs a number above 0, not "0"' });
});
