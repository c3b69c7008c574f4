// A reply tells what came of an action in the frames around, also where nobody acted in them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../fixture.ts";
import { clicked, holds, page } from "./fixture.ts";

const { worker, site } = await stage();

/** A document that reacts to each message after a while. */
const reacting = (react: string) =>
  site.page(`<h2 id=text>idle</h2><script>
    let times = 0;
    onmessage = ({ source }) => setTimeout(() => { ${react} }, 100);</script>`);
const framed = (url: string) => `<iframe id=frame src="${url}"></iframe>`;
const POST = `go.onclick = () => frame.contentWindow.postMessage("hello", "*");`;
const CHANGE = `text.textContent = "reacted " + ++times`;

test("a frame of another site that reacts by a timer to a click in its parent is told", () =>
  holds(
    worker,
    page(site, POST, framed(site.elsewhere(reacting(CHANGE)))),
    /iframe.*\n.*reacted 1/,
    /iframe.*\n.*reacted 2/,
  ));

test("a frame of the same site that reacts by a timer to a click in its parent is told", () =>
  holds(worker, page(site, POST, framed(reacting(CHANGE))), /reacted 1/, /reacted 2/));

test("what a page does when its frame answers by a timer is told", () =>
  holds(
    worker,
    page(
      site,
      `${POST}
       let answers = 0;
       onmessage = () => show("answer " + ++answers);`,
      framed(site.elsewhere(reacting(`source.postMessage("back", "*")`))),
    ),
    /answer 1/,
    /answer 2/,
  ));

test("a frame that comes with the action and fills itself by a timer is told filled", () =>
  holds(
    worker,
    page(
      site,
      `let times = 0;
       go.onclick = () => {
         const filling = "<p id=text></p><script>setTimeout(() => { text.textContent = 'filled " + ++times + "' }, 100)<\\/script>";
         out.innerHTML = "<iframe></iframe>";
         out.firstChild.srcdoc = filling;
       };`,
    ),
    /filled 1/,
    /filled 2/,
  ));

test("a frame that is busy without end, or hangs, does not hold what is done around it", async () => {
  await using session = worker.session();
  const busy = `setInterval(() => { const end = performance.now() + 95; while (performance.now() < end); }, 100)`;
  const hung = `addEventListener("message", () => { for (;;); })`;
  const shown = await session.open(
    page(
      site,
      `let times = 0;
       go.onclick = () => { show("clicked " + ++times); for (let n = 0; n < frames.length; n++) frames[n].postMessage("", "*") };`,
      [busy, hung]
        .map((script) => framed(site.elsewhere(site.page(`<p>frame</p><script>${script}</script>`))))
        .join(""),
    ),
  );
  for (let n = 1; n <= 4; n++) {
    const began = performance.now();
    assert.match(await clicked(session, shown), new RegExp(`clicked ${n}`));
    // Well within an action's bound, and what a look at a silent frame takes.
    if (n > 2) assert.ok(performance.now() - began < 2_900);
  }
});
