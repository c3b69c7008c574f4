import assert from "node:assert/strict";
import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeTemporaryFolder, NoTemporaryFolder } from "../../../proto/machine/temporary-folder.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const { dir: ground } = shared(tempDir());
chmodSync(ground, 0o755);
const place = (name: string, mode: number) => {
  const folder = path.join(ground, name);
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
};
const shut = place("shut", 0o700);
const open = place("open", 0o755);
const missing = path.join(ground, "missing");

test("a temporary folder is made in the first place that exists", () => {
  const made = makeTemporaryFolder("t-", { places: [missing, shut, open], isShared: false });
  assert.ok(made.startsWith(path.join(shut, "t-")));
});

test("a folder for another user is made where every parent lets others enter", () => {
  mkdirSync(path.join(shut, "below"), { mode: 0o777 });
  const made = makeTemporaryFolder("t-", { places: [shut, path.join(shut, "below"), open], isShared: true });
  assert.ok(made.startsWith(path.join(open, "t-")));
});

test("if none can be made, the error names the places and the variable to set", () => {
  assert.throws(
    () => makeTemporaryFolder("t-", { places: [missing, shut], isShared: true }),
    (error) => {
      assert.ok(error instanceof NoTemporaryFolder);
      assert.equal(error.message, `no temporary folder can be made in ${missing}, ${shut}`);
      assert.match(error.mend, /^Set TMPDIR/);
      return true;
    },
  );
});
