// `troupe takeover SESSION --open` on machines with and without a browser.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { main } from "../../../client/cli/program.ts";
import { shared } from "../../harness/shared.ts";
import { StandIn } from "../../harness/stand-in/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const LINK = "http://127.0.0.1:1/takeover#secret";
const OPENER = process.platform === "darwin" ? "open" : "xdg-open";
const daemon = shared(await StandIn.start({ TakeOver: () => ({ url: LINK, role: "customer" }) }));

/** Runs the command where the opener is this shell script, or is missing. */
async function opened(script: string | undefined, ...flags: string[]) {
  using temp = tempDir();
  const seen = path.join(temp.dir, "seen");
  if (script !== undefined)
    writeFileSync(path.join(temp.dir, OPENER), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = { TROUPE_ADDRESS: daemon.address, PATH: temp.dir, SEEN: seen };
  const said = { out: "", err: "" };
  const into = (stream: keyof typeof said) => (text: string) => {
    said[stream] += text;
  };
  const code = await main(["takeover", "stuck", "--open", ...flags], {
    cwd: "/",
    env,
    print: into("out"),
    complain: into("err"),
  });
  return { code, ...said, seen: script?.includes("SEEN") ? readFileSync(seen, "utf8") : "" };
}

test("the machine's browser gets the link", async () => {
  const { code, out, err, seen } = await opened(`printf %s "$1" > "$SEEN"`);
  assert.deepEqual([code, err, seen], [0, "", LINK]);
  assert.ok(out.startsWith(LINK));
});

for (const [what, script, why] of [
  ["has no opener", undefined, `this machine has no ${OPENER}`],
  ["has no browser", "exit 3", `${OPENER} found none that opens`],
] as const)
  test(`a machine that ${what} says so, and shows the link`, async () => {
    for (const flags of [[], ["--json"]]) {
      const { code, out, err } = await opened(script, ...flags);
      assert.equal(code, 1, err);
      assert.equal(err, `troupe: no browser was opened: ${why}. Open the link yourself: ${LINK}\n`);
      assert.ok(out.includes(LINK));
    }
  });
