// A browser that hangs is reported in time, and leaves neither processes nor a profile.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { NO_WISHES } from "../../../worker/chrome/launch.ts";
import { browserFindings } from "../../../worker/doctor/started-browser.ts";
import { allGone } from "../../harness/proc.ts";
import { tempDir } from "../../harness/temp-dir.ts";

/** The profiles in a folder of the test's own: other tests start browsers at the same time. */
const profiles = (dir: string) => readdirSync(dir).filter((each) => each.startsWith("troupe-profile-"));

test("a browser that hangs is said not to answer, and leaves nothing", { timeout: 60_000 }, async () => {
  using temp = tempDir();
  chmodSync(temp.dir, 0o777);
  const executable = path.join(temp.dir, "chrome");
  const pidFile = path.join(temp.dir, "pid");
  writeFileSync(executable, `#!/bin/sh\necho $$ > ${pidFile}\nsleep 1000 & wait\n`, { mode: 0o755 });
  process.env.TMPDIR = temp.dir;
  const over = new AbortController().signal;
  const [finding] = await browserFindings({ ...NO_WISHES, executable }, { answerMs: 10_000, over });
  assert.match(finding?.found ?? "", /did not answer within 10 s/);
  assert.deepEqual(profiles(temp.dir), []);
  const pid = existsSync(pidFile) ? readFileSync(pidFile, "utf8").trim() : "none";
  assert.notEqual(pid, "none");
  await allGone([Number(pid)]);
});
