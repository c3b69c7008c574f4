import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { keepHttpToken } from "../../../daemon/state/http-token.ts";
import { tempDir } from "../../harness/temp-dir.ts";

test("the token is made once, is private, and stays", () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "token");
  const token = keepHttpToken(file);
  assert.match(token, /^[\w-]{32}$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(file, "utf8"), `${token}\n`);
  assert.equal(keepHttpToken(file), token);
});

test("an unfinished token file is replaced, so that an empty token is never valid", () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "token");
  writeFileSync(file, "\n", { mode: 0o600 });
  assert.equal(keepHttpToken(file).length, 32);
});
