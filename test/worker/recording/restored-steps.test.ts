// Tests the steps of a session whose tabs are opened again by the step itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../harness/worker.ts";
import { keeper } from "../session/hibernation-keeper.ts";

const { worker, site } = await stage();
const { rest } = keeper(worker);

test("the first step after a rest keeps its element, and opens no tab", async () => {
  await using session = worker.session();
  await session.open(site.page("<title>First</title><label>Name <input autofocus></label>"));
  await session.do("browser_tabs", { action: "new", url: site.page("<title>Second</title>") });
  await session.do("browser_tabs", { action: "select", tab: "t1" });
  assert.deepEqual(await rest(session), []);
  await session.do("browser_type", { text: "Ada" });
  const { text } = await session.do("browser_export_test", { as: "steps" });
  const { tool, tab, urlBefore, targets, outcome } = JSON.parse(text).steps.at(-1);
  assert.deepEqual(
    [tool, tab, targets.ref?.name, outcome.opened],
    ["browser_type", "t1", "Name", undefined],
    text,
  );
  assert.match(urlBefore, /^http/);
  const code = (await session.do("browser_export_test")).text;
  assert.doesNotMatch(code, /waitForEvent/);
  assert.match(code, /getByRole\("textbox", \{ name: "Name", exact: true \}\)[^;]*\.fill\("Ada"\)/);
});

test("a tab that the session opens itself is noted, also behind restored ones", async () => {
  await using session = worker.session();
  await session.open(site.page("<title>First</title>"));
  await session.do("browser_tabs", { action: "new" });
  assert.deepEqual(await rest(session), []);
  await session.do("browser_tabs", { action: "new", url: site.page("<title>Third</title>") });
  const { text } = await session.do("browser_export_test", { as: "steps" });
  const { tab, outcome } = JSON.parse(text).steps.at(-1);
  assert.equal(outcome.opened ?? tab, "t3", text);
});
