import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { EXIT } from "../../../daemon/core/startup-error.ts";
import { readNote, StateDir } from "../../../daemon/state/state-dir.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const filesIn = (dir: string) => stateFiles({ cwd: dir, env: {}, stateDir: path.join(dir, "s") });

test("a missing folder is made, with its parents", () => {
  using temp = tempDir();
  using state = StateDir.open(stateFiles({ cwd: temp.dir, env: {}, stateDir: "a/b/c" }));
  assert.equal(state.files.dir, path.join(temp.dir, "a/b/c"));
});

test("a folder in use is refused, and free again when its daemon is closed", () => {
  using temp = tempDir();
  const files = filesIn(temp.dir);
  {
    using first = StateDir.open(files);
    first.writeNote({ pid: 4711, version: "1", addresses: ["unix:/a"], http: [] });
    assert.throws(() => StateDir.open(files), {
      exitCode: EXIT.unavailable,
      message: /process 4711, at unix:\/a/,
    });
  }
  using _second = StateDir.open(files);
  assert.equal(readNote(files.note), undefined);
});

test("a lock file that is no database is reported as such", () => {
  using temp = tempDir();
  const files = filesIn(temp.dir);
  mkdirSync(files.dir, { mode: 0o700 });
  writeFileSync(files.lock, "not a database, but long enough to be looked at as one: ".repeat(20));
  assert.throws(() => StateDir.open(files), {
    exitCode: EXIT.unavailable,
    message: /The lock .*lock\.db cannot be used/,
  });
});

const refused: [what: string, prepare: (dir: string) => void, why: RegExp][] = [
  [
    "a folder that others may enter",
    (dir) => {
      mkdirSync(dir);
      chmodSync(dir, 0o755);
    },
    /open to others \(mode 755\); run: chmod 700/,
  ],
  ["a file", (dir) => writeFileSync(dir, ""), /cannot be used: EEXIST/],
  [
    "a link to a folder",
    (dir) => {
      mkdirSync(`${dir}-elsewhere`, { mode: 0o700 });
      symlinkSync(`${dir}-elsewhere`, dir);
    },
    /is no folder/,
  ],
];

for (const [what, prepare, why] of refused) {
  test(`${what} is no state folder`, () => {
    using temp = tempDir();
    const files = filesIn(temp.dir);
    prepare(files.dir);
    assert.throws(() => StateDir.open(files), { exitCode: EXIT.configuration, message: why });
  });
}

test("a path that leaves no room for sockets is refused with a remedy", () => {
  using temp = tempDir();
  const files = stateFiles({ cwd: temp.dir, env: {}, stateDir: "x".repeat(100) });
  assert.throws(() => StateDir.open(files), {
    exitCode: EXIT.configuration,
    message: /bytes too long for the sockets in it[\s\S]*--state-dir/,
  });
});

for (const name of ["two\nlines", "a\rreturn", "a\u0007bell", "a\u2028separator"]) {
  test(`a path with ${JSON.stringify(name)} is refused with a remedy, on one line`, () => {
    using temp = tempDir();
    const files = stateFiles({ cwd: temp.dir, env: {}, stateDir: name });
    assert.throws(() => StateDir.open(files), {
      exitCode: EXIT.configuration,
      message: /^The state folder cannot be used: [^\n]* holds a line break [^\n]*"\n[^\n]*TROUPE_STATE_DIR$/,
    });
  });
}
