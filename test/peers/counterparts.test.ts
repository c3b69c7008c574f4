// Tests that each tool of other servers has its counterpart here, shown by a test, or a reason.
import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tools } from "../../proto/tools/read-tools.ts";
import type { Counterpart } from "./counterpart.ts";
import { counterparts } from "./counterparts.ts";
import { type TheirTools, theirTools } from "./their-tools.ts";

const TITLE = /\btest\(\s*(["`])(.+?)\1,/g;
const root = join(import.meta.dirname, "..");

for (const server of Object.keys(theirTools) as (keyof TheirTools)[])
  test(`each tool of ${server} is in the table once`, () => {
    const named = counterparts.flatMap(({ theirs }) => theirs[server]?.split(" ") ?? []);
    assert.deepEqual(named.toSorted(), theirTools[server].toSorted());
  });

test("each counterpart is a tool, or says in words how it is done", () => {
  const known = new Set(tools().map(({ name }) => name));
  const named = counterparts.filter(isShown).map(({ ours }) => ours);
  assert.deepEqual(
    named.filter((ours) => /^\w+$/.test(ours) && !known.has(ours)),
    [],
  );
});

test("each counterpart is shown by a test of this title", async () => {
  const titles = new Set<string>();
  for await (const file of glob("**/*.test.ts", { cwd: root, exclude: ["**/node_modules"] }))
    for (const [, , title = ""] of (await readFile(join(root, file), "utf8")).matchAll(TITLE))
      titles.add(title);
  const missing = counterparts.filter(isShown).filter(({ shownBy }) => !titles.has(shownBy));
  assert.deepEqual(
    missing.map(({ ours, shownBy }) => `${ours}: ${shownBy}`),
    [],
  );
});

function isShown(each: Counterpart): each is Extract<Counterpart, { ours: string }> {
  return "ours" in each;
}
