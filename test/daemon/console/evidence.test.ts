// The evidence of a session in the console, over a whole Troupe: a person scrubs through recorded calls.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { faultsOf, overflowOf, type PersonsView, startPerson } from "../../harness/browser/person.ts";
import { testClient } from "../../harness/daemon.ts";
import { shared } from "../../harness/shared.ts";
import { startTroupe } from "../../harness/troupe.ts";
import { until } from "../../harness/within.ts";
import { serveSite } from "../../site/serve.ts";
import { HOSTILE_TITLE } from "./stage.ts";

const TIME = { timeout: 180_000 };
const site = shared(await serveSite());
const person = shared(await startPerson());
const troupe = shared(await startTroupe({ roles: { recorded: { record: true } } }));
const token = readFileSync(path.join(troupe.stateDir, "token"), "utf8").trim();
const control = testClient(troupe.address);

async function openSession(id: string, view?: PersonsView): Promise<Page> {
  const page = await person.open(`${troupe.http}/console#token=${token}`, view);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.goto(`${troupe.http}/console#/session/${encodeURIComponent(`local/${id}`)}`);
  return page;
}

/** Resolves when so many calls of the session have pictures. */
async function pictured(session: string, calls: number): Promise<void> {
  const count = async () => (await control.ask("ReadEvidence", { session })).ok?.calls ?? [];
  await until(
    async () => (await count()).filter(({ picture }) => picture?.image.length).length >= calls,
    `${calls} pictures`,
    30_000,
  );
}

test(
  "a person goes from call to call with the keyboard, and sees the page before and after each",
  TIME,
  async () => {
    await using agent = await troupe.agent("--role", "recorded", "--session", "watched");
    const title = HOSTILE_TITLE.replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    const url = site.page(
      `<title>${title}</title><button onclick="p.textContent = 'Sold'">Buy</button><p id="p">For sale`,
    );
    const opened = await agent.text("browser_navigate", { url });
    await pictured("watched", 1);
    await agent.text("browser_click", { ref: /button "Buy" [^\n]*\[ref=(\w+)\]/.exec(opened)?.[1] ?? "" });
    await pictured("watched", 2);
    assert.equal((await agent.call("browser_click", { ref: "e999" })).isError, true);
    await pictured("watched", 3);
    for (const width of [360, 1440])
      for (const theme of ["light", "dark"] as const) {
        const page = await openSession("watched", { width, theme });
        const recorded = page.getByRole("article", { name: "The recorded call" });
        await recorded.getByText("UNKNOWN_REF", { exact: true }).waitFor();
        await recorded
          .getByRole("region", { name: "Plan of the recorded call" })
          .getByText("e999")
          .first()
          .waitFor();
        await page.getByRole("slider", { name: "Recorded call" }).press("ArrowLeft");
        await recorded.getByRole("region", { name: "Reply" }).getByText("Sold").waitFor();
        for (const when of ["before", "after"]) {
          const picture = recorded.getByRole("img", { name: `The page ${when} the call` });
          await picture.waitFor();
          await until(
            async () =>
              (await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)) > 300,
            "the picture is shown",
          );
        }
        await recorded.getByText("onerror=alert(1)").first().waitFor();
        await page.getByRole("region", { name: "The tree" }).waitFor();
        assert.deepEqual(await faultsOf(page), [], `${width} ${theme}`);
        assert.ok((await overflowOf(page)) <= 0, `${width} ${theme} is too wide`);
        await page.close();
      }
  },
);

test("a session without evidence has no such section, and new calls show by themselves", TIME, async () => {
  await using agent = await troupe.agent("--role", "visitor", "--session", "quiet");
  await agent.text("browser_snapshot");
  const page = await openSession("quiet");
  await page.getByRole("heading", { name: "Session quiet" }).waitFor();
  await page.getByRole("cell", { name: "browser_snapshot" }).waitFor();
  assert.equal(await page.getByRole("heading", { name: "Evidence" }).count(), 0);
  await agent.text("select_role", { role: "recorded" });
  await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
  await page.getByRole("article", { name: "The recorded call" }).getByText("browser_navigate").waitFor();
});

test("the evidence of a session that has ended is found and read", TIME, async () => {
  const agent = await troupe.agent("--role", "recorded", "--session", "over");
  await agent.text("browser_navigate", { url: site.page("<h1>Was here</h1>") });
  await agent[Symbol.asyncDispose]();
  await control.ask("CloseSession", { session: "over" });
  for (const width of [360, 1440]) {
    const page = await openSession("over", { width, theme: "dark" });
    await page.getByText("has ended").first().waitFor();
    await page.getByRole("link", { name: "Sessions" }).first().click();
    await page.getByRole("heading", { name: "Ended, with evidence" }).waitFor();
    assert.deepEqual(await faultsOf(page), [], `${width}`);
    assert.ok((await overflowOf(page)) <= 0, `${width} is too wide`);
    await page.getByLabel("Search").fill("over");
    await page.getByRole("link", { name: "local/over" }).click();
    const recorded = page.getByRole("article", { name: "The recorded call" });
    await recorded.getByRole("region", { name: "Reply" }).getByText("Was here").waitFor();
    assert.deepEqual(await faultsOf(page), [], `${width}`);
    await page.close();
  }
});

test("nothing went wrong in any page", () => person.check());
