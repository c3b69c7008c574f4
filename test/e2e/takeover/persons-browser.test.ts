// The person's page in a real browser: with mouse and keyboard, and on a phone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chromium, devices, type Page } from "playwright-core";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";
import { Person } from "../../harness/browser/person-at-work.ts";
import { EVENT_MS_MAX } from "../../harness/events/after-events.ts";
import { shared } from "../../harness/shared.ts";
import { AT, HERE, takeOverStage } from "./take-over-stage.ts";

const stage = shared(await takeOverStage({ takeover: { grace: "1s" } }));
const { agent, troupe } = stage;
const { executable, env } = await findBrowser({ env: process.env });
const browser = shared(
  await chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox"],
    env: { ...process.env, ...env } as Record<string, string>,
  }),
);

test("from the link to the hand-back with mouse and keyboard", async () => {
  await stage.open(
    `<title>Desk</title><h1>Before</h1><input aria-label=Word style="${HERE}" onchange="document.querySelector('h1').textContent = this.value">`,
  );
  await using context = await browser.newContext();
  const page = await opened(await context.newPage(), await stage.link());
  assert.match(new URL(page.url()).hash, /^#[0-9a-f]{16}$/, "the link's secret has left the address");
  await clickAt(page, AT);
  await page.keyboard.type("Hello");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Hand back" }).click();
  await page.getByText("You have handed the session back").waitFor();
  assert.match(await agent.text("browser_snapshot", { full: true }), /heading "Hell"/);
});

test("on a phone: a tap, the phone's keyboard, a finger that scrolls, and a dialog", async () => {
  await stage.open(
    `<title>Phone</title><body style="height: 5000px"><script>document.onscroll = () => (document.title = 'Scrolled')</script><h1>?</h1><input aria-label=Code style="${HERE}" onchange="document.querySelector('h1').textContent = confirm('Is it ' + this.value)">`,
  );
  await using context = await browser.newContext(devices["Pixel 7"]);
  const page = await opened(await context.newPage(), await stage.link());
  assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
  const { x, y } = await placeOf(page, AT);
  await page.touchscreen.tap(x, y);
  await page.getByRole("button", { name: "Keyboard" }).tap();
  await page.keyboard.insertText("4711");
  await page.keyboard.press("Enter");
  await page.getByText("Is it 4711").waitFor();
  await page.getByRole("button", { name: "OK" }).tap();
  await page.getByText("Is it 4711").waitFor({ state: "hidden" });
  await swipe(page, x, y + 100, y - 100);
  // Chrome takes a tap right after a swipe for the end of its fling.
  await page.getByRole("button", { name: "Hand back" }).click();
  await page.getByText("You have handed the session back").waitFor();
  const text = await agent.text("browser_snapshot", { full: true });
  assert.match(text, /heading "true"/);
  assert.match(text, /Page "Scrolled"/);
});

test("a page that is loaded again goes on; a browser that is closed gives the session back", async () => {
  await stage.open("<h1>Closed</h1>");
  await using context = await browser.newContext();
  const page = await opened(await context.newPage(), await stage.link());
  await page.reload();
  await page.getByText("You have the session").waitFor();
  await context.close();
  await troupe.output.have('"why":"lost"');
  assert.match(await agent.text("browser_snapshot"), /A person has worked/);
});

test("a page whose turn is over says so at once when it is loaded again", async () => {
  await stage.open("<h1>Again</h1>");
  await using context = await browser.newContext();
  const page = await opened(await context.newPage(), await stage.link());
  await page.getByRole("button", { name: "Hand back" }).click();
  await page.getByText("You have handed the session back").waitFor();
  await page.reload();
  await page.getByText("You have handed the session back").waitFor();
});

test("a link that was opened, and one that is not known, are told apart at once", async () => {
  await stage.open("<h1>Used</h1>");
  const link = await stage.link();
  await using first = await Person.takeOver(link);
  await using context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(EVENT_MS_MAX);
  await page.goto(link);
  await page.getByText("has been opened before, and each link opens once. Ask for another link.").waitFor();
  await first.handBack();
  for (const unknown of ["0123456789abcdef", "nonsense", ""]) {
    await page.goto(`${new URL(link).origin}/takeover#${unknown}`);
    await page.reload();
    await page
      .getByText("is not known here. It has ended, or was never made. Ask for another link.")
      .waitFor();
  }
});

test("a page whose role is restarted says so", async () => {
  await stage.open("<h1>Restarted</h1>");
  await using context = await browser.newContext();
  const page = await opened(await context.newPage(), await stage.link());
  const restarted = stage.ask("RestartRole", { name: "visitor" });
  await page.getByText("The agent's browser is started again. Ask for another link.").waitFor();
  await restarted;
});

test("a second person is told that another one is at work", async () => {
  await stage.open("<h1>Two</h1>");
  const link = await stage.link();
  await using first = await stage.person();
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByText("Another person is at work").waitFor();
  await first.handBack();
});

/** Opens a link. Resolves when the person has the session and sees a picture. */
async function opened(page: Page, link: string): Promise<Page> {
  page.setDefaultTimeout(EVENT_MS_MAX);
  page.on("pageerror", (error) => assert.fail(error));
  await page.goto(link);
  await page.getByText("You have the session").waitFor();
  await page.locator("canvas[data-frame]").waitFor();
  return page;
}

/** Returns the place on the person's screen of a point in the agent's tab. */
async function placeOf(page: Page, [x, y]: readonly [number, number]): Promise<{ x: number; y: number }> {
  const box = await page.locator("canvas").boundingBox();
  const { width = 1, height = 1 } = (await page.evaluate(
    "(({ tabWidth, tabHeight }) => ({ width: Number(tabWidth), height: Number(tabHeight) }))(document.querySelector('canvas').dataset)",
  )) as { width?: number; height?: number };
  assert.ok(box);
  return { x: box.x + (x / width) * box.width, y: box.y + (y / height) * box.height };
}

async function clickAt(page: Page, point: readonly [number, number]): Promise<void> {
  const { x, y } = await placeOf(page, point);
  await page.mouse.click(x, y);
}

async function swipe(page: Page, x: number, from: number, to: number): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const touch = (type: string, y?: number) =>
    client.send("Input.dispatchTouchEvent", {
      type: type as "touchStart",
      touchPoints: y === undefined ? [] : [{ x, y }],
    });
  await touch("touchStart", from);
  for (let y = from; y > to; y -= 20) await touch("touchMove", y);
  await touch("touchEnd");
}
