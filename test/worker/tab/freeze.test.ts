// Tests freezing: the pages of an idle session are frozen, and every call finds them running.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";
import { killIfThere, renderersOf } from "./renderers.ts";

/** The shortest time: the tests wait until the page itself reports that it is frozen. */
const { worker, site } = await stage({ freezeAfterMs: 1 });

test("a page of an idle session is frozen and goes on with the next call, which loses nothing", async () => {
  await using session = worker.session();
  await using clock = worker.session();
  const page = ticking(`<button onclick="said.textContent = ++clicks + ' clicks'">Go</button>`);
  const text = await session.open(page.url);
  await page.frozen;
  // The ticks pass in another page meanwhile.
  await clock.open(site.page(COUNTING));
  await clock.do("browser_wait_for", { text: "a hundred ticks" });
  const { text: changed } = await session.do("browser_click", { ref: refOf(text, "Go") });
  assert.match(changed, /1 clicks/);
  const [, frozenAt, resumedAt] = /still from (\d+) to (\d+)/.exec(await session.read()) ?? [];
  assert.ok(frozenAt !== undefined && resumedAt === frozenAt, `it ticked from ${frozenAt} to ${resumedAt}`);
  await session.do("browser_wait_for", { text: "and on" });
});

test("a frame of another site is frozen with its page", async () => {
  await using session = worker.session();
  await using clock = worker.session();
  const inner = ticking("");
  await session.open(
    site.page(`<h1>Around</h1><iframe title=F src="${site.elsewhere(inner.url)}"></iframe>`),
  );
  await inner.frozen;
  await clock.open(site.page(COUNTING));
  await clock.do("browser_wait_for", { text: "a hundred ticks" });
  const [, frozenAt, resumedAt] = /still from (\d+) to (\d+)/.exec(await session.read()) ?? [];
  assert.ok(frozenAt !== undefined && resumedAt === frozenAt, `it ticked from ${frozenAt} to ${resumedAt}`);
});

test("a watched page runs on, and is frozen when the watcher has gone", async (t) => {
  await using session = worker.session();
  await using other = worker.session();
  const page = ticking("<p id=n></p><script>setInterval(() => { n.textContent = ticks }, 50)</script>");
  await session.open(page.url);
  await page.frozen;
  const over = new AbortController();
  t.after(() => over.abort());
  const updates = session.watch({}, { signal: over.signal });
  updates.on("error", () => undefined);
  const seen = updates[Symbol.asyncIterator]();
  const { value: first } = await seen.next();
  const unwatched = ticking("");
  await other.open(unwatched.url);
  await unwatched.frozen;
  // Everything that was delivered so far comes before these.
  for (let told = 0; told < 5; told++) {
    const { value } = await seen.next();
    assert.notEqual(value.text, first.text);
  }
  assert.match(await session.read(), /still from (\d+) to \1 and on/);
  const again = page.frozenAgain();
  over.abort();
  await again;
});

test("a frozen page that crashes is opened again and frozen again, and its session hears of it", async () => {
  await using session = worker.session();
  const page = ticking("<h1>Crashing</h1>");
  const own = await renderersOf(worker, () => session.open(page.url));
  await page.frozen;
  const again = page.frozenAgain();
  for (const renderer of own) killIfThere(renderer);
  await again;
  await session.refuse("PAGE_CRASHED", "browser_snapshot");
  assert.match(await session.read(), /Crashing[\s\S]*still from/);
});

/** Counts its ticks. The hundredth stays on the page. */
const COUNTING = `<p id=done></p><script>
  let ticks = 0;
  setInterval(() => { if (++ticks === 100) done.textContent = 'a hundred ticks' }, 4);
</script>`;

/** A page that counts, and sends the site a request when it is frozen. */
function ticking(html: string): { url: string; frozen: Promise<void>; frozenAgain(): Promise<void> } {
  let next = Promise.withResolvers<void>();
  const told = site.route((_request, response) => {
    next.resolve();
    response.end();
  });
  const url = site.page(`${html}${COUNTING}<p id=said></p><p id=still></p><script>
    let clicks = 0, frozenAt;
    document.addEventListener('freeze', () => { frozenAt = ticks; navigator.sendBeacon('${new URL(told).pathname}') });
    document.addEventListener('resume', () => {
      still.textContent = 'still from ' + frozenAt + ' to ' + ticks;
      setTimeout(() => { still.textContent += ' and on' }, 50);
    });
  </script>`);
  const frozenAgain = () => {
    next = Promise.withResolvers();
    return next.promise;
  };
  return { url, frozen: next.promise, frozenAgain };
}
