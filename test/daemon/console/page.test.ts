// The console's page in a real browser: its views, its actions, and what changes while a person looks.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { startPerson } from "../../harness/browser/person.ts";
import { shared } from "../../harness/shared.ts";
import { HOSTILE_TITLE, openStage } from "./stage.ts";

const person = shared(await startPerson());
const stage = shared(await openStage({ withTokens: true }));
const TIME = { timeout: 120_000 };

/** Opens the console at a view, logged in. */
async function open(view = "", token = "boss-token"): Promise<Page> {
  const page = await person.open(`${stage.address}/console#token=${token}`);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  if (view) await page.goto(stage.view(view));
  return page;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
/** Presses the button, and confirms in the dialog. */
async function act(page: Page, name: string, label: string, { leaves = false } = {}): Promise<void> {
  await button(page, name).click();
  await page.getByRole("dialog").getByRole("button", { name: label, exact: true }).click();
  if (leaves) return;
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

test("a token in the address logs in, and does not stay there", TIME, async () => {
  const page = await open();
  assert.equal(page.url(), `${stage.address}/console#/`);
  assert.equal(await page.evaluate("document.cookie"), "");
  await page.reload();
  await page.getByRole("status").getByText("Live").waitFor();
  await page.getByText("boss").waitFor();
});

test("a person can type the token, and learns that a wrong one is refused", TIME, async () => {
  const page = await person.open(`${stage.address}/console`);
  const field = page.getByLabel("Token");
  await field.fill("wrong");
  await field.press("Enter");
  await page.getByRole("alert").filter({ hasText: "token" }).waitFor();
  await field.fill("boss-token");
  await field.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await button(page, "Log out").click();
  await field.waitFor();
});

test("the overview follows the roles, and restarts one", TIME, async () => {
  const page = await open();
  const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "visitor" }) });
  await card.getByText("stopped").waitFor();
  await stage.visit("Shop");
  await card.getByText("ready").waitFor();
  await card.getByText("1 awake, 0 at rest").waitFor();
  await act(page, "Restart role visitor", "Restart");
  await card.getByText("Restarts").locator("xpath=following-sibling::dd[1]").getByText("1").waitFor();
  await stage.tool("Navigate", { url: "http://shop.example/" }, { session: "s1", role: "visitor" });
});

test("what waits for a person stands first, and is approved or denied there", TIME, async () => {
  const page = await open();
  const ask = (id: string, what: string) =>
    stage.open(`http://do/ask-approval?${new URLSearchParams({ id, what })}`, {
      session: "s1",
      role: "visitor",
    });
  await ask("a1", "POST https://shop.example/pay");
  await ask("a2", `POST https://shop.example/${HOSTILE_TITLE}`);
  const waits = page.getByRole("region", { name: "Waits for a person" });
  await waits.getByRole("heading", { name: "POST https://shop.example/pay" }).waitFor();
  await waits.getByText("from https://shop.example/pay").first().waitFor();
  const reader = await open("", "reader-token");
  assert.equal(await button(reader, "Approve POST https://shop.example/pay").isDisabled(), true);
  await act(page, "Approve POST https://shop.example/pay", "Approve");
  await waits.getByRole("heading", { name: "POST https://shop.example/pay" }).waitFor({ state: "detached" });
  await button(page, /^Deny POST/).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deny", exact: true }).click();
  await waits.waitFor({ state: "detached" });
  const { ok } = await stage.ask("ListApprovals", {});
  assert.deepEqual(ok?.approvals, []);
});

test("the sessions are found by their words, and one leads to its page", TIME, async () => {
  await stage.visit("Basket of Ada", "ada");
  await stage.visit("Basket of Bob", "bob");
  const page = await open("sessions");
  await page.getByRole("link", { name: "ada" }).waitFor();
  await page.getByLabel("Search").fill("basket bob");
  await page.getByRole("link", { name: "ada" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "bob" }).click();
  await page.getByRole("heading", { name: "Session bob" }).waitFor();
  await page.getByRole("cell", { name: "Basket of Bob" }).waitFor();
  // Later calls of the session show by themselves.
  await stage.visit("Checkout of Bob", "bob");
  await page.getByRole("cell", { name: "Checkout of Bob" }).waitFor();
  assert.equal(await page.getByRole("row").filter({ hasText: "browser_navigate" }).count(), 2);
  await act(page, "Close session bob", "Close");
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  const { ok } = await stage.ask("ListSessions", {});
  assert.ok(!ok?.sessions.some(({ id }) => id === "bob"));
});

test("calls show as they end, and hold still when a person wants to read", TIME, async () => {
  const page = await open("calls");
  const rows = page.getByRole("row").filter({ hasText: "caller" });
  await page.getByRole("table").waitFor();
  await stage.visit("One", "caller");
  await rows.first().waitFor();
  await button(page, "Hold still").click();
  const other = await open("calls");
  await stage.visit("Two", "caller");
  await other.getByRole("row").filter({ hasText: "caller" }).nth(1).waitFor();
  assert.equal(await rows.count(), 1);
  await button(page, "Hold still").click();
  await rows.nth(1).waitFor();
  await button(page, "Only failed").click();
  await rows.first().waitFor({ state: "detached" });
});

test("a failure shows with the plan that the model read, and with its end", TIME, async () => {
  const page = await open("failures");
  await page.getByRole("heading", { name: "Failed calls", exact: true }).waitFor();
  await stage.fail("failing");
  const row = page.getByRole("row").filter({ hasText: "failing" }).first();
  await row.getByText("STALE_REF").waitFor();
  await row.getByText("open", { exact: true }).waitFor();
  await row.getByText("Plan").click();
  await row.getByText("🔧 Action Required:").waitFor();
  await stage.fail("failing");
  await page.getByRole("row").filter({ hasText: "failing" }).getByText("repeated").first().waitFor();
});

test("a role's failure log can be read and cleared", TIME, async () => {
  await stage.open("http://do/record-failure", { session: "s1", role: "visitor" });
  const page = await open("failures");
  const log = page.getByRole("group").filter({ hasText: "visitor" });
  await page.locator("summary", { hasText: "visitor" }).click();
  await log.getByText("told to").waitFor();
  await act(page, "Clear the failure log of visitor", "Clear");
  await log.getByText("No failures recorded").waitFor();
});

test("an agent that asks for a person shows first, and its session can be taken over", TIME, async () => {
  const page = await open();
  await stage.tool("AskPerson", { why: "Enter the <b>code</b>" }, { session: "asking", role: "visitor" });
  const card = page.getByRole("listitem").filter({ hasText: "Enter the <b>code</b>" });
  await card.getByRole("link", { name: "local/asking" }).waitFor();
  const reader = await open("", "reader-token");
  const denied = reader.getByRole("button", { name: "Take over session local/asking" });
  await denied.waitFor();
  assert.equal(await denied.isDisabled(), true);
  // The stand-in's worker knows no persons, so the page behind the link is not wanted here.
  await page.route("**/takeover", (route) => route.fulfill({ body: "the person's page" }));
  await act(page, "Take over session local/asking", "Take over", { leaves: true });
  await page.waitForURL(/\/takeover#[\w-]{22}\.[\w-]{43}$/);
  await page.goto(stage.view("session/local%2Fasking"));
  await page.getByRole("button", { name: "Take over session asking" }).waitFor();
});

test("who may only read sees why nothing can be changed", TIME, async () => {
  const page = await open("", "reader-token");
  await page.getByText("Your token has control: read. It takes control: write").waitFor();
  for (const name of ["Restart role visitor", "Drain the daemon", "Reload configuration"])
    assert.equal(await button(page, name).isDisabled(), true, name);
});

test("a token that is taken away ends its page", TIME, async () => {
  await using short = await openStage({ withTokens: true });
  const page = await person.open(short.entry);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  short.reload({ roles: { visitor: {}, admin: {} }, tokens: [{ name: "other", sha256: "0".repeat(64) }] });
  await page.getByLabel("Token").waitFor();
});

test("a page comes back after its connection broke, with the state of then", TIME, async () => {
  const page = await open("sessions");
  await page.context().setOffline(true);
  await stage.visit("Meanwhile", "meanwhile");
  await page.context().setOffline(false);
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.getByRole("link", { name: "meanwhile" }).waitFor();
});

test("a hidden page lets go of its stream, and is current when it is seen again", TIME, async () => {
  const page = await open("sessions");
  const gone = stage.next(/a page of the console is gone/);
  await page.evaluate(
    "Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
  );
  await gone;
  await stage.visit("Unseen", "unseen");
  await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole("link", { name: "unseen" }).waitFor();
});

test("the keyboard alone reaches and confirms an action", TIME, async () => {
  const page = await open();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "main");
  await button(page, "Restart role admin").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
});

test("a drain is asked for, and shows", TIME, async () => {
  await using ending = await openStage();
  const page = await person.open(ending.entry);
  const held = ending.holds("held");
  const call = ending.open("http://do/hang", { session: "held", role: "visitor" });
  await held;
  await act(page, "Drain the daemon", "Drain");
  await page.getByText("The daemon drains").waitFor();
  ending.daemon.kill();
  await call;
});

test("nothing went wrong in any page", () => person.check());
