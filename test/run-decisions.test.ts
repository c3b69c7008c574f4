import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseFiles, closingLine, failedCount, withoutOwnSettings } from "./run-decisions.ts";

test("all tests are run but fixtures", () => {
  const paths = [
    "test/worker/b.test.ts",
    "test/bench/x.test.ts",
    "test/site/y.test.ts",
    "test/a.test.ts",
    "test/faults/z.test.ts",
  ];
  assert.deepEqual(chooseFiles(paths, []), [
    "test/a.test.ts",
    "test/bench/x.test.ts",
    "test/faults/z.test.ts",
    "test/worker/b.test.ts",
  ]);
  assert.deepEqual(chooseFiles(paths, ["worker", "nothing"]), ["test/worker/b.test.ts"]);
  assert.deepEqual(chooseFiles(paths, ["nothing"]), []);
});

test("what was cancelled has failed, and what was skipped is said only where there is any", () => {
  const counts = { tests: 15, passed: 12, skipped: 0, todo: 0 };
  assert.equal(failedCount(counts), 3);
  assert.equal(closingLine(counts), "12 passed, 3 failed");
  assert.equal(closingLine({ ...counts, tests: 17, skipped: 1, todo: 1 }), "12 passed, 3 failed, 2 skipped");
});

test("a developer's own daemon is not met by tests, his choice of a browser is", () => {
  const env = { PATH: "/bin", TROUPE_ADDRESS: "unix:/x", TROUPE_STATE_DIR: "/y", TROUPE_BROWSER: "embedded" };
  assert.deepEqual(withoutOwnSettings(env), { PATH: "/bin", TROUPE_BROWSER: "embedded" });
});
