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

const TOUCHABLE = `<title>Touch</title><h1>?</h1><div style="${HERE}; touch-action: none">Pad</div><script>
  const [heading, pad] = [document.querySelector("h1"), document.querySelector("div")];
  const says = (words) => (heading.textContent += " " + words);
  pad.addEventListener("pointerdown", ({ pointerType }) => says(pointerType));
  pad.addEventListener("touchstart", ({ touches }) => says("start" + touches.length));
  pad.addEventListener("touchmove", ({ touches: [{ clientX }] }) => (document.title = "At " + Math.round(clientX)));
  pad.addEventListener("touchcancel", () => says("cancel"));
  pad.addEventListener("touchend", ({ touches }) => says("end" + touches.length));
  pad.addEventListener("click", () => says("click"));
</script>`;

test("a finger is a touch, a second one does not count, and the mouse stays a mouse", async () => {
  await stage.open(TOUCHABLE);
  await using phone = await browser.newContext(devices["Pixel 7"]);
  const page = await opened(await phone.newPage(), await stage.link());
  const { x, y } = await placeOf(page, AT);
  const far = (await placeOf(page, [250, 120])).x;
  await page.touchscreen.tap(x, y);
  const touch = await touching(page);
  await touch("touchStart", [x, y]);
  await touch("touchMove", [far, y]);
  await touch("touchMove", [far, y], [x, y]);
  await touch("touchMove", [far, y]);
  await touch("touchEnd");
  await page.getByRole("button", { name: "Hand back" }).click();
  await page.getByText("You have handed the session back").waitFor();
  const touched = await agent.text("browser_snapshot", { full: true });
  assert.match(touched.replace(" click", ""), /heading "\? touch start1 end0 touch start1 end0"/);
  assert.match(touched, / click/);
  assert.match(touched, /Page "At 250"/);
  await stage.open(TOUCHABLE);
  await using desk = await browser.newContext();
  const beside = await opened(await desk.newPage(), await stage.link());
  await clickAt(beside, AT);
  await beside.getByRole("button", { name: "Hand back" }).click();
  await beside.getByText("You have handed the session back").waitFor();
  assert.match(await agent.text("browser_snapshot", { full: true }), /heading "\? mouse click"/);
});

test("a touch that a lost page left open hinders no other one", async () => {
  await stage.open(TOUCHABLE);
  const at = { id: 0, x: AT[0], y: AT[1] };
  const touchesOf = (person: Person) => (type: string, points: object[]) =>
    person.send({ touch: { type, points } });
  const touches = async () => {
    const text = await agent.text("browser_snapshot", { full: true });
    return /"\? (.*)"/.exec(text)?.[1]?.replaceAll(" click", "");
  };
  await using person = await stage.person();
  const touch = touchesOf(person);
  await person.seesPicture();
  const touched = person.seesFrames(1);
  touch("end", []);
  touch("start", [at]);
  await touched;
  person.vanish();
  person.reconnect();
  touch("start", [at]);
  touch("end", []);
  touch("start", [at]);
  await person.handBack();
  const first = "touch start1 cancel touch start1 end0 touch start1 cancel";
  assert.equal(await touches(), first);
  await using next = await stage.person();
  touchesOf(next)("start", [at]);
  touchesOf(next)("end", []);
  await next.handBack();
  assert.equal(await touches(), `${first} touch start1 end0`);
});

test("of several fingers that a page sends, the first one counts", async () => {
  await stage.open(TOUCHABLE);
  await using person = await stage.person();
  const fingers = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, x: AT[0] + 20 * id, y: AT[1] }));
  for (const [type, count] of [
    ["start", 2],
    ["move", 3],
    ["end", 0],
  ] as const)
    person.send({ touch: { type, points: fingers(count) } });
  await person.handBack();
  const text = await agent.text("browser_snapshot", { full: true });
  assert.match(text.replace(" click", ""), /heading "\? touch start1 end0"/);
});

test("a swipe across the page leads neither back nor forward", async () => {
  let opened = 0;
  const before = stage.site.route((_request, response) => {
    opened++;
    response.setHeader("content-type", "text/html");
    response.end("<h1>Before</h1>");
  });
  await agent.text("browser_navigate", { url: before });
  await stage.open("<h1>Now</h1>");
  await using person = await stage.person();
  await person.seesPicture();
  const swipe = (points: number[]) => {
    const send = (type: string, xs: number[]) =>
      person.send({ touch: { type, points: xs.map((x) => ({ id: 0, x, y: AT[1] })) } });
    send("start", points.slice(0, 1));
    for (const x of points.slice(1)) send("move", [x]);
    send("end", []);
  };
  const across = Array.from({ length: 50 }, (_, step) => 100 + 20 * step);
  swipe(across);
  swipe(across.toReversed());
  await person.handBack();
  assert.match(await agent.text("browser_snapshot", { full: true }), /heading "Now"/);
  await stage.open("<h1>Later</h1>");
  assert.equal(opened, 1);
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
  const touch = await touching(page);
  await touch("touchStart", [x, from]);
  for (let y = from; y > to; y -= 20) await touch("touchMove", [x, y]);
  await touch("touchEnd");
}

/** Returns a function that touches the person's screen with so many fingers. */
async function touching(page: Page) {
  const client = await page.context().newCDPSession(page);
  return (type: "touchStart" | "touchMove" | "touchEnd", ...points: [x: number, y: number][]) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
}
