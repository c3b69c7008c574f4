// Tests that a reply reports an action's consequences in other frames, even in those without the action.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";
import { clicked, holds, page } from "./slow-pages.ts";

const { worker, site } = await stage();

/** A document that reacts to each message after a while. */
const reacting = (react: string) =>
  site.page(`<h2 id=text>idle</h2><script>
    let times = 0;
    onmessage = ({ source }) => setTimeout(() => { ${react} }, 100);</script>`);
const framed = (url: string) => `<iframe id=frame src="${url}"></iframe>`;
const POST = `go.onclick = () => frame.contentWindow.postMessage("hello", "*");`;
const CHANGE = `text.textContent = "reacted " + ++times`;

test("a timed reaction of a frame of another site to a click in its parent is reported", () =>
  holds(
    worker,
    page(site, POST, framed(site.elsewhere(reacting(CHANGE)))),
    /iframe.*\n.*reacted 1/,
    /iframe.*\n.*reacted 2/,
  ));

test("a timed reaction of a frame of the same site to a click in its parent is reported", () =>
  holds(worker, page(site, POST, framed(reacting(CHANGE))), /reacted 1/, /reacted 2/));

test("a page's reaction to its frame's timed answer is reported", () =>
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

test("a frame that comes with the action and fills itself by a timer is shown filled", () =>
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

test("a frame that is busy without end, or hangs, does not delay actions around it", async () => {
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
    // This is well within an action's bound, plus the time to read a silent frame.
    if (n > 2) assert.ok(performance.now() - began < 2_900);
  }
});
