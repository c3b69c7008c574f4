// Tests that a reply comes once a page that changes step by step has finished. Otherwise, it says that it has not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";
import { clicked, holds, page } from "./slow-pages.ts";

const { worker, site } = await stage();

/** Types this many words, a letter at each timer. */
const typing = (words: number) => `go.onclick = () => {
  const text = "word ".repeat(${words}) + "END";
  let length = 0;
  const step = () => {
    show(text.slice(0, ++length));
    if (length < text.length) setTimeout(step, 40);
  };
  step();
};`;

test("a text that types itself is shown whole", () => holds(worker, page(site, typing(6)), /word END/));

test("a text that still types itself at the bound is reported as changing", async () => {
  await using session = worker.session();
  const shown = await session.open(page(site, typing(200)));
  const reply = await clicked(session, shown);
  assert.match(reply, /^The page was still changing after \d\.\d s\.$/m);
  assert.doesNotMatch(await session.read(), /still changing/);
});

test("a counter that an interval drives is shown with its end", () =>
  holds(
    worker,
    page(
      site,
      `go.onclick = () => {
         let count = 0;
         const timer = setInterval(() => { show("count " + ++count); if (count === 12) clearInterval(timer) }, 100);
       };`,
    ),
    /count 12/,
  ));

test("a counter that animation frames draw is shown with its end", () =>
  holds(
    worker,
    page(
      site,
      `go.onclick = () => {
         let frames = 0;
         const step = () => { show("value " + ++frames); if (frames < 60) requestAnimationFrame(step) };
         step();
       };`,
    ),
    /value 60/,
  ));

test("parts that appear one by one, by timers that were set at once, are all shown", () =>
  holds(
    worker,
    page(
      site,
      `go.onclick = () => ["one", "two", "three", "four"].forEach((word, n) =>
         setTimeout(() => { out.append(document.createElement("p")); out.lastChild.textContent = "part " + word }, 200 * (n + 1)));`,
    ),
    /part one[\s\S]*part four/,
  ));

test("a page that shows a placeholder after a click is shown filled", () =>
  holds(
    worker,
    page(
      site,
      `let times = 0;
       go.onclick = () => {
         out.innerHTML = "<div aria-busy=true>Wait</div>";
         setTimeout(() => show("loaded " + ++times), 700);
       };`,
    ),
    /loaded 1/,
    /loaded 2/,
  ));

for (const [what, go] of [
  [
    "frames that show nothing",
    "let n = 0; const step = () => (++n < 10 ? requestAnimationFrame(step) : show(last)); step()",
  ],
  [
    "idle callbacks",
    `let n = 0; const step = () => { const end = performance.now() + 20; while (performance.now() < end); if (++n < 6) requestIdleCallback(step); else show(last) };
     requestIdleCallback(step)`,
  ],
  [
    "idle callbacks behind frames that leave no time",
    `requestIdleCallback(() => show(last)); let n = 0;
     const draw = () => { const end = performance.now() + 30; while (performance.now() < end); if (++n < 30) requestAnimationFrame(draw) }; draw()`,
  ],
  [
    "messages to itself",
    `let n = 0; const { port1, port2 } = new MessageChannel();
     port1.onmessage = () => { const end = performance.now() + 5; while (performance.now() < end); if (++n < 30) port2.postMessage(0); else show(last) };
     port2.postMessage(0)`,
  ],
] as const)
  test(`work that is split up by ${what} is waited for`, () =>
    holds(
      worker,
      page(site, `let times = 0; go.onclick = () => { const last = "done " + ++times; ${go} };`),
      /done 1/,
      /done 2/,
    ));

test("a ticker does not delay an action that starts a timer, once it was seen without an action", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      site,
      `let ticks = 0, times = 0;
       setInterval(() => { tick.textContent = "tick " + ++ticks; if (ticks % 10 === 0) round.textContent = "round " + ticks / 10 }, 50);
       go.onclick = () => { show("clicked " + ++times); setTimeout(() => undefined, 10) };`,
      "<p id=tick></p><p id=round></p>",
    ),
  );
  await clicked(session, shown);
  const [, round] = /round (\d+)/.exec(await session.read()) ?? [];
  await session.do("browser_wait_for", { text: `round ${Number(round ?? 0) + 3}` });
  const began = performance.now();
  const reply = await clicked(session, shown);
  assert.match(reply, /clicked 2/);
  assert.doesNotMatch(reply, /still changing/);
  assert.ok(performance.now() - began < 2_900);
});
