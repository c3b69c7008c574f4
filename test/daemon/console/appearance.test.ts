// How the console looks: readable for everyone in each view, width and theme, whatever the names and titles are.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { faultsOf, overflowOf, type PersonsView, startPerson } from "../../harness/browser/person.ts";
import { shared } from "../../harness/shared.ts";
import { HOSTILE_SESSION, HOSTILE_TITLE, openStage, VIEWS } from "./stage.ts";

const person = shared(await startPerson());
const stage = shared(await openStage());
await stage.visit("Shop");
await stage.visit(HOSTILE_TITLE, HOSTILE_SESSION);
await stage.fail(HOSTILE_SESSION);
await stage.fail();
const hostilePage = `session/${encodeURIComponent(`local/${HOSTILE_SESSION}`)}`;
const ALL_VIEWS = {
  ...VIEWS,
  "session/local%2Fs1": "Session s1",
  [hostilePage]: `Session ${HOSTILE_SESSION}`,
};
const TIME = { timeout: 180_000 };

/** Opens the console, and waits until it is logged in. */
async function open(view: PersonsView = {}): Promise<Page> {
  const page = await person.open(stage.entry, view);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  return page;
}

for (const width of [360, 1440])
  for (const theme of ["light", "dark"] as const)
    test(`axe finds nothing in any view at ${width} px, ${theme}`, TIME, async () => {
      const page = await open({ width, theme });
      for (const [view, heading] of Object.entries(ALL_VIEWS)) {
        await page.goto(stage.view(view));
        await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
        if (view.startsWith("session/")) await page.getByRole("region", { name: "The tree" }).waitFor();
        for (const plan of await page.getByText("Plan", { exact: true }).all()) await plan.click();
        assert.deepEqual(await faultsOf(page), [], view);
        assert.ok((await overflowOf(page)) <= 0, `${view || "overview"} is too wide`);
      }
    });

for (const width of [390, 1280])
  for (const theme of ["light", "dark"] as const)
    test(`what waits for a person stands apart from the figures at ${width} px, ${theme}`, TIME, async () => {
      const given = { session: "s1", role: "visitor" };
      await stage.tool("AskPerson", { why: "Enter the code" }, given);
      const asked = new URLSearchParams({ id: `a-${width}-${theme}`, what: "POST https://shop.example/pay" });
      await stage.open(`http://do/ask-approval?${asked}`, given);
      const page = await open({ width, theme });
      const waits = page.getByRole("region", { name: "Waits for a person" });
      await waits.getByRole("button", { name: "Approve POST https://shop.example/pay" }).first().waitFor();
      const [below, figures] = await Promise.all([
        waits.boundingBox(),
        page.locator(".figures").boundingBox(),
      ]);
      const gap = (figures?.y ?? 0) - ((below?.y ?? 0) + (below?.height ?? 0));
      assert.ok(gap >= 8, `${gap} px`);
      assert.deepEqual(await faultsOf(page), []);
      assert.ok((await overflowOf(page)) <= 0);
    });

test("axe finds nothing in the login and in a dialog", TIME, async () => {
  const login = await person.open(`${stage.address}/console`, { width: 360, theme: "dark" });
  await login.getByLabel("Token").waitFor();
  assert.deepEqual(await faultsOf(login), []);
  const page = await open({ width: 360 });
  await page.getByRole("button", { name: "Drain the daemon" }).click();
  await page.getByRole("dialog").waitFor();
  assert.deepEqual(await faultsOf(page), []);
});

test("hostile names and titles are text in each view", TIME, async () => {
  const page = await open();
  const start = HOSTILE_SESSION.slice(0, 30);
  for (const view of ["sessions", "calls", "failures", hostilePage]) {
    await page.goto(stage.view(view));
    await page.getByText(start).first().waitFor();
    if (view === "sessions" || view === hostilePage)
      await page.getByText(HOSTILE_TITLE.slice(0, 40)).first().waitFor();
    assert.equal(await page.locator("main :is(img:not(.picture), script, b, iframe)").count(), 0, view);
  }
  person.check();
});

test("a broken address of a session leads to words", TIME, async () => {
  const page = await open();
  for (const key of ["%E0%A4%A", "no/such", "x".repeat(3000)]) {
    await page.goto(stage.view(`session/${key}`));
    await page.getByText("there is no such session").waitFor();
  }
  person.check();
});

test("nothing went wrong in any page", () => person.check());
