import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { runCommand, startCommand } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 60_000 };

/** Starts a daemon with this configuration. */
async function daemonWith(dir: string, text: string | undefined) {
  const write = (changed: string) => writeFileSync(path.join(dir, "troupe.yaml"), changed);
  if (text !== undefined) write(text);
  const env = { XDG_STATE_HOME: dir };
  const daemon = startCommand(["daemon", "--http", "off"], { cwd: dir, env });
  await daemon.said(/is ready/);
  const reload = (...flags: string[]) => runCommand(["reload", ...flags], { cwd: dir, env });
  return { write, reload, [Symbol.asyncDispose]: daemon[Symbol.asyncDispose] };
}

test("troupe reload says what changed, role by role and key by key", DEADLINE, async () => {
  using temp = tempDir();
  await using daemon = await daemonWith(temp.dir, "roles: { one: {}, two: {}, three: {} }");
  const same = await daemon.reload();
  assert.deepEqual([same.code, same.err], [0, ""]);
  assert.match(same.out, /troupe\.yaml was read again\.\nNothing is different\.\n$/);
  daemon.write(
    "limits: { queue: 3 }\njournal: { age: 1d }\nroles: { one: { startUrl: http://a.test/ }, two: { sessions: 9 }, four: {} }",
  );
  const { code, out } = await daemon.reload();
  assert.equal(code, 0);
  assert.equal(
    out.split("\n").slice(1, -1).join("\n"),
    [
      "new roles: four",
      "removed roles: three",
      "changed roles, which restart: one",
      "changed roles, which go on: two",
      "in effect now: limits",
      "in effect from the daemon's next start: journal",
    ].join("\n"),
  );
});

test("a wrong configuration changes nothing, and its line, key and remedy are shown", DEADLINE, async () => {
  using temp = tempDir();
  await using daemon = await daemonWith(temp.dir, "roles: { one: {} }");
  daemon.write("limits:\n  queu: 3\nroles: { two: {} }");
  const { code, out } = await daemon.reload();
  assert.equal(code, 78);
  assert.match(out, /nothing changed:\ntroupe\.yaml:2: .*queu.*queue/);
  const json = JSON.parse((await daemon.reload("--json")).out);
  assert.equal(json.problems.length, 1);
  assert.deepEqual(json.added, []);
  daemon.write("roles: { two: {} }");
  assert.match((await daemon.reload()).out, /new roles: two\nremoved roles: one/);
});

test("a daemon without a configuration file says so", DEADLINE, async () => {
  using temp = tempDir();
  await using daemon = await daemonWith(temp.dir, undefined);
  const { code, out } = await daemon.reload();
  assert.deepEqual([code, out], [0, "The daemon has no configuration file, so nothing changed.\n"]);
});
