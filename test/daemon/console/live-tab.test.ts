// The console over a whole Troupe: a person looks at the pages of real sessions, which notice nothing of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { coloursIn } from "../../e2e/evidence/colours.ts";
import { type Person, startPerson } from "../../harness/browser/person.ts";
import { shared } from "../../harness/shared.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";
import { serveSite } from "../../site/serve.ts";

const TIME = { timeout: 180_000 };
const troupe = shared(
  await startTroupe({
    roles: (shopUrl) => ({
      tired: { startUrl: `${shopUrl}/`, hibernateAfter: "1s" },
      masked: { mask: [".account"] },
      wrong: { mask: ["]"] },
    }),
  }),
);
const site = shared(await serveSite());
const person: Person = shared(await startPerson());
const token = readFileSync(path.join(troupe.stateDir, "token"), "utf8").trim();

async function openSession(id: string) {
  const page = await person.open(`${troupe.http}/console#token=${token}`);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.goto(`${troupe.http}/console#/session/${encodeURIComponent(`local/${id}`)}`);
  return page;
}

test(
  "a session's page shows the picture and the tree, while a call has the session's turn",
  TIME,
  async () => {
    await using agent = await troupe.agent("--role", "visitor", "--session", "watched");
    const shown = await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
    const waiting = agent.call("browser_wait_for", { text: "never there", time: 25 });
    const page = await openSession("watched");
    const tree = page.getByRole("region", { name: "The tree" });
    await tree.getByText("[ref=e").first().waitFor();
    const picture = page.getByRole("main").getByRole("img");
    await picture.waitFor();
    assert.ok((await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)) > 300);
    const ref = /\[ref=(\w+)\]/.exec(shown)?.[1];
    assert.ok((await tree.textContent())?.includes(`[ref=${ref}]`), "the refs are those that the agent has");
    await page.close();
    assert.equal((await waiting).isError, true);
  },
);

test(
  "a live picture hides what the operator masks and fields for secrets, and shows the rest",
  TIME,
  async () => {
    const block = (name: string, color: string) =>
      `<div class="${name}" style="background:${color};height:200px">${name}</div>`;
    const url = site.page(
      `<title>Account</title><body style="margin:0">${block("account", "#f00")}${block("plain", "#0f0")}
     <input type="password" id="p" aria-label="Code" style="background:#00f;width:100%;height:150px;border:0">
     <button onclick="p.type = 'text'">Show</button>`,
    );
    await using agent = await troupe.agent("--role", "masked", "--session", "account");
    const opened = await agent.text("browser_navigate", { url });
    await agent.text("browser_type", { ref: refOf(opened, "textbox", "Code"), text: "secret-words" });
    await agent.text("browser_click", { ref: refOf(opened, "button", "Show") });
    const page = await openSession("account");
    const pictureOf = async (session: string, role: string): Promise<Buffer> => {
      const asked = new URLSearchParams({ key: `local/${session}`, role, tab: "" });
      const bytes = await page.evaluate(
        `fetch("/console/picture?${asked}").then((answer) => answer.arrayBuffer()).then((bytes) => [...new Uint8Array(bytes)])`,
      );
      return Buffer.from(bytes as number[]);
    };
    const colours = await coloursIn(person, await pictureOf("account", "masked"));
    assert.deepEqual([colours.red, colours.blue], [0, 0]);
    assert.ok(colours.green > 10_000, JSON.stringify(colours));
    assert.match(await agent.text("browser_snapshot"), /unchanged since snapshot|changed since snapshot/);
    // Without the masks there is no picture.
    await using other = await troupe.agent("--role", "wrong", "--session", "wrong");
    await other.text("browser_navigate", { url });
    assert.equal((await pictureOf("wrong", "wrong")).length, 0);
  },
);

test("an agent's deliveries do not change when a person looks", TIME, async () => {
  await using agent = await troupe.agent("--role", "visitor", "--session", "looked-at");
  await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
  await agent.text("browser_snapshot");
  const page = await openSession("looked-at");
  await page.getByRole("region", { name: "The tree" }).getByText("[ref=e").first().waitFor();
  await page.close();
  assert.match(await agent.text("browser_snapshot"), /unchanged since snapshot/);
});

test("a look wakes no session that is at rest", TIME, async () => {
  await using agent = await troupe.agent("--role", "tired", "--session", "resting");
  await agent.text("browser_snapshot");
  const page = await openSession("resting");
  await page.getByText("The session is at rest.").waitFor();
  await page.getByText("at rest", { exact: true }).waitFor();
  await page.close();
  assert.match(await agent.text("browser_snapshot"), /Restored after rest/);
});

test("nothing went wrong in any page", () => person.check());
