// Exports runs as tests, and runs them with the real Playwright Test on a fresh site.
import assert from "node:assert/strict";
import { test } from "node:test";
import { installPackages } from "../apps/packages.ts";
import { shared } from "../harness/shared.ts";
import { startTroupe } from "../harness/troupe.ts";
import { withChangedStructure } from "./changed-structure.ts";
import { exported, runOn } from "./export-run.ts";
import { launchPlaywright } from "./playwright.ts";
import { applicationNames, scenarios } from "./scenarios.ts";

const isAll = process.env.EXPORTS === "all";
const EVERY_TIME = ["shop: a visitor logs in", "alpine"];
const troupe = shared(await startTroupe());

const browser = await launchPlaywright();
shared({ [Symbol.asyncDispose]: () => browser.close() });
/** The runs that are green after a change of the page's structure, and those that are not. */
const afterChange: { name: string; said: string | undefined }[] = [];

for (const [seed, scenario] of scenarios.entries()) {
  if (!isAll && !(process.env.EXPORTS?.split(",") ?? EVERY_TIME).includes(scenario.name)) continue;
  test(`the exported run "${scenario.name}" is green`, async () => {
    if (applicationNames.includes(scenario.name)) await installPackages(scenario.name, () => undefined);
    const run = await exported(scenario, troupe);
    for (const secret of Object.values(scenario.env ?? {})) assert.ok(!run.code.includes(secret), run.code);
    for (let times = isAll ? 3 : 1; times > 0; times--) {
      const said = await runOn(scenario, run);
      assert.equal(said, undefined, `${said}\n${run.code}`);
    }
    await using page = await browser.newPage();
    const said = await runOn(scenario, run, (place) => withChangedStructure(place, page, seed + 1));
    afterChange.push({ name: scenario.name, said });
  });
}

test("nine of ten exported runs are green after the page's structure has changed", () => {
  const failed = afterChange.filter(({ said }) => said !== undefined);
  assert.ok(afterChange.length > 0);
  assert.ok(failed.length <= afterChange.length / 10, JSON.stringify(failed, null, 2));
});
