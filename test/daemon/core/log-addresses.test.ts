// No log line has an address's query or fragment, whichever process writes it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const ADDRESS = "https://user:secret@shop.example/cb?access_token=secret#id_token=secret";

for (const [whose, open] of [
  ["daemon", `const { openLog } = await import("./daemon/core/log.ts"); const { log } = openLog("info");`],
  [
    "worker",
    `const { openLog } = await import("./worker/service/log.ts");
      const { Redactor } = await import("./worker/secrets/redactor.ts");
      const log = openLog("tester", new Redactor());`,
  ],
] as const)
  test(`the ${whose}'s log has addresses without their secrets in all its fields`, () => {
    const said = `${open}
      const address = ${JSON.stringify(ADDRESS)};
      log.warn({ err: new Error("at " + address + " it fell"), url: address, all: [{ [address]: address }] }, "went to " + address + " twice\\u202e");
      log.child({ page: address }).error('"' + address + '" went');`;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", said], {
      cwd: new URL("../../..", import.meta.url),
      encoding: "utf8",
    });
    const lines = stderr.trim().split("\n");
    assert.equal(lines.length, 2);
    const [first, second] = lines.map((line) => JSON.parse(line));
    assert.equal(first.msg, "went to https://shop.example/cb twice\u202e");
    assert.equal(second.msg, '"https://shop.example/cb" went');
    assert.doesNotMatch(stderr, /secret|\u202e/);
  });
