// Tests that a page that never settles delays an action no longer than its bound. The reply says what went on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";
import { ANSWER_MS, api, clicked, later, page } from "./slow-pages.ts";

const { worker, site } = await stage();

for (const query of ["c=", ""])
  test(`a poll that asks with another query each time (?${query}1) does not hold what is done on its page`, async () => {
    await using session = worker.session();
    let polls = 0;
    let enough = Number.POSITIVE_INFINITY;
    const poll = api(site, () => (++polls >= enough ? "enough" : "few"));
    const shown = await session.open(
      page(
        site,
        `let c = 0;
        setInterval(() => fetch("${poll}?${query}" + ++c).then((r) => r.text()).then((text) => { last.textContent = text }), 50);
        go.onclick = () => show("clicked");`,
        "<p id=last></p>",
      ),
    );
    // The page goes on while no action is under way.
    enough = polls + 20;
    await session.do("browser_wait_for", { text: "enough" });
    const began = performance.now();
    assert.match(await clicked(session, shown), /clicked/);
    assert.ok(performance.now() - began < 2_900);
  });

for (const [what, path] of [
  ["number", `"tick/" + ++c`],
  ["word", `"tick/" + crypto.randomUUID()`],
] as const)
  test(`a poll that asks at another path each time (a ${what}) holds one action at most`, async () => {
    await using session = worker.session();
    const shown = await session.open(
      page(
        site,
        `let c = 0, times = 0;
        setInterval(() => fetch("${site.origin}/" + ${path}), 30);
        go.onclick = () => show("clicked " + ++times);`,
      ),
    );
    assert.match(await clicked(session, shown), /clicked 1/);
    for (let n = 2; n <= 3; n++) {
      const began = performance.now();
      assert.match(await clicked(session, shown), new RegExp(`clicked ${n}`));
      assert.ok(performance.now() - began < 2_900);
    }
  });

test("requests of one name that outlast the action are reported in one line", async () => {
  await using session = worker.session();
  const held = site.hold();
  const shown = await session.open(
    page(site, `go.onclick = () => { for (let n = 0; n < 30; n++) fetch("${held.url}?n=" + n) };`),
  );
  const lines = (await clicked(session, shown)).match(/still waiting.*/g) ?? [];
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", new RegExp(`GET ${new URL(held.url).pathname} \\(30 times\\), 3\\.\\d s`));
  held.release("");
});

test("a page that refreshes itself without end is stopped, and can be used", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(site, `go.onclick = () => show("clicked");`, "<meta http-equiv=refresh content=0>"),
  );
  assert.match(shown, /without end.*it was stopped here/);
  const reply = await clicked(session, shown);
  assert.match(reply, /clicked/);
  assert.doesNotMatch(reply, /stopped here/);
});

test("a page that reloads itself without end after an action is stopped", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      site,
      `if (sessionStorage.endless) location.reload();
      go.onclick = () => { sessionStorage.endless = 1; location.reload() };`,
    ),
  );
  assert.match(await clicked(session, shown), /button "Go"[\s\S]*it was stopped here/);
});

test("a poll with a cursor that is answered at times stops delaying actions, and its news is reported", async () => {
  await using session = worker.session();
  // The server answers when it has news, or else at times.
  let say: (words: string) => void = () => undefined;
  const poll = site.route((_request, response) => {
    say = (words) => response.end(words);
    setTimeout(() => response.end(), 9 * ANSWER_MS).unref();
  });
  const act = site.route((_request, response) => {
    later(response, "");
    setTimeout(() => say("came by the poll"), 2 * ANSWER_MS).unref();
  });
  const shown = await session.open(
    page(
      site,
      `let cursor = 0;
      const poll = () => fetch("${poll}?cursor=" + ++cursor).then((r) => r.text()).then((text) => { if (text) show(text) }).then(poll);
      poll();
      go.onclick = () => { go.title = "clicked" };
      ask.onclick = () => fetch("${act}", { method: "POST" });`,
      "<button id=ask>Ask</button>",
    ),
  );
  // The worker learns what a poll is when one is answered.
  await clicked(session, shown);
  const began = performance.now();
  await clicked(session, shown);
  assert.ok(performance.now() - began < 2_900);
  assert.match(await clicked(session, shown, "Ask"), /came by the poll/);
});
