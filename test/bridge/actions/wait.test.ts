import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../worker/bridge/api/bridge-api.ts";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const LONG_MS = 10_000;

/** Begins to wait and then changes the page. The wait must see the change by itself. */
async function waitWhile(condition: Condition, change: string): Promise<unknown> {
  const waited = bridge.call("waitFor", condition, LONG_MS);
  await bridge.run(change);
  return await waited;
}

test("a wait for text ignores case and white space", async () => {
  await bridge.open("<main></main>");
  const waited = await waitWhile(
    { text: "order  PLACED" },
    "document.querySelector('main').innerHTML = '<p>Order <b>pla</b>ced</p>'",
  );
  assert.deepEqual(waited, { met: true });
});

test("a wait for text ignores hidden text and counts a field's value", async () => {
  await bridge.open(
    "<p hidden>Secret</p><details><summary>s</summary>Folded</details><input value='Held'><input type=submit value=Go><select><option>One<option>Two</select>",
  );
  assert.deepEqual(await bridge.call("waitFor", { text: "secret" }, 30), { met: false });
  assert.deepEqual(await bridge.call("waitFor", { text: "folded" }, 30), { met: false });
  for (const text of ["held", "go", "one"])
    assert.deepEqual(await bridge.call("waitFor", { text }, LONG_MS), { met: true });
  assert.deepEqual(await bridge.call("waitFor", { text: "two" }, 30), { met: false });
});

test("a wait for text to disappear ends when it does", async () => {
  await bridge.open("<p>Loading…</p>");
  const waited = await waitWhile(
    { textGone: "loading" },
    "document.querySelector('p').style.display = 'none'",
  );
  assert.deepEqual(waited, { met: true });
});

test("a wait finds text in a known shadow root", async () => {
  await bridge.open("<div id=h><template shadowrootmode=open><p>Wait</p></template></div>");
  await bridge.tree();
  const waited = await waitWhile(
    { text: "done" },
    "document.getElementById('h').shadowRoot.querySelector('p').textContent = 'Done'",
  );
  assert.deepEqual(waited, { met: true });
});

test("a wait for an element supports each state", async () => {
  const states: [state: NonNullable<Condition["state"]>, html: string, change: string][] = [
    ["visible", "<button id=b>B</button>", "document.getElementById('b').removeAttribute('style')"],
    [
      "hidden",
      "<button id=b>B</button>",
      "document.getElementById('b').setAttribute('style', 'display:none')",
    ],
    [
      "enabled",
      "<button id=b disabled>B</button>",
      "document.getElementById('b').removeAttribute('disabled')",
    ],
    ["disabled", "<button id=b>B</button>", "document.getElementById('b').setAttribute('disabled', '')"],
    ["gone", "<button id=b>B</button>", "document.getElementById('b').remove()"],
  ];
  for (const [state, html, change] of states) {
    await bridge.treeOf(html);
    if (state === "visible")
      await bridge.run("document.getElementById('b')?.setAttribute('style', 'display:none')");
    assert.deepEqual(await bridge.call("waitFor", { ref: "e1", state }, 30), { met: false }, state);
    assert.deepEqual(await waitWhile({ ref: "e1", state }, change), { met: true }, state);
  }
});

test("a ref that is unknown, or will never come back, ends the wait", async () => {
  await bridge.treeOf("<button id=b>B</button>");
  assert.deepEqual(await bridge.call("waitFor", { ref: "e99" }, LONG_MS), { met: false, unknown: true });
  await bridge.run("document.getElementById('b')?.remove()");
  assert.deepEqual(await bridge.call("waitFor", { ref: "e1", state: "visible" }, LONG_MS), {
    met: false,
    unknown: true,
  });
  assert.deepEqual(await bridge.call("waitFor", { ref: "e1", state: "hidden" }, LONG_MS), { met: true });
});

test("a wait sees a value that a person types", async () => {
  await bridge.open("<input id=i>");
  const waited = bridge.call("waitFor", { text: "typed" }, LONG_MS);
  await bridge.page.type("#i", "typed");
  assert.deepEqual(await waited, { met: true });
});

test("a still page is quiet at once, and a changing page is quiet when it stops", async () => {
  await bridge.open("<p id=p>0</p>");
  assert.deepEqual(await bridge.call("quiet", { windowMs: 0, changedMs: 0, maxMs: LONG_MS }), {
    mutated: false,
  });
  const rest = bridge.call("quiet", { windowMs: 300, changedMs: 300, maxMs: LONG_MS });
  await bridge.run(`let turn = 0;
    const timer = setInterval(() => {
      document.getElementById("p").textContent = ++turn;
      if (turn === 5) clearInterval(timer);
    }, 5);`);
  assert.deepEqual(await rest, { mutated: true });
  assert.equal(await bridge.run("document.getElementById('p')?.textContent"), "5");
});

test("the wait for an endlessly changing page ends at the bound", async () => {
  await bridge.open("<p id=p>0</p>");
  await bridge.run(`(() => {
    setInterval(() => document.getElementById("p")?.append("x"), 1);
  })()`);
  assert.deepEqual(await bridge.call("quiet", { windowMs: 200, changedMs: 200, maxMs: 300 }), {
    mutated: true,
  });
});

test("a search returns lines under their path, each with a ref", async () => {
  await bridge.open(
    "<main><ul aria-label=Results><li><a href=/a>Alpha</a> <span>42 pieces</span></li><li>beta <b>Two</b></li></ul></main>",
  );
  assert.deepEqual(await bridge.call("find", { text: "42  PIECES", limit: 5 }), {
    hits: [{ path: ["main", 'list "Results"', "listitem"], line: "- text [ref=e2]: 42 pieces" }],
    total: 1,
  });
  assert.deepEqual(await bridge.call("find", { text: "beta two", limit: 5 }), {
    hits: [{ path: ["main", 'list "Results"'], line: "- listitem [ref=e3]: beta Two" }],
    total: 1,
  });
  assert.deepEqual(await bridge.call("find", { role: "link", name: "alp", limit: 5 }), {
    hits: [{ path: ["main", 'list "Results"', "listitem"], line: '- link "Alpha" [ref=e1] [url=/a]' }],
    total: 1,
  });
  assert.equal((await bridge.call("ready", "e2", "click")).state, "ready");
});

test("the worker can choose lines as hits, and hits beyond the limit are counted", async () => {
  await bridge.open("<ul><li>a<li><b>x</b> <a href=/b>b</a><li>c</ul>");
  const findable = await bridge.call("findable", true);
  assert.deepEqual(findable, { texts: ["a", "x", "b", "c"], lines: [1, 3, 4, 5] });
  const lines = [
    { line: 4, match: "b" },
    { line: 5, match: "c" },
  ];
  assert.deepEqual(
    (await bridge.call("find", { lines, limit: 5 })).hits.map((hit) => hit.line),
    ['- link "b" [ref=e1] [url=/b]', "- listitem [ref=e2]: c"],
  );
  const found = await bridge.call("find", { role: "listitem", limit: 1 });
  assert.deepEqual([found.hits.length, found.total], [1, 3]);
});

test("a hit in flowing text depends only on the visible text of an element", async () => {
  const hidden = "<span hidden>Next</span>";
  await bridge.open(`<p>See <a>Prev${hidden}</a> <a>Next<span style="display:none"> secret</span></a></p>`);
  assert.deepEqual((await bridge.call("find", { text: "next", limit: 5 })).hits, [
    { path: ["paragraph: See Prev Next"], line: "- text [ref=e1]: Next" },
  ]);
});

test("a hit in text that flows through several elements has the ref of the one that holds it", async () => {
  await bridge.open("<p>See <a>Prev</a> <a>Next <b>page</b></a>, <i>next</i> week</p><a>Up</a> <a>Down</a>");
  const path = ["paragraph: See Prev Next page, next week"];
  const found = await bridge.call("find", { text: "next", limit: 5 });
  assert.deepEqual(found, {
    hits: [
      { path, line: "- text [ref=e1]: Next page" },
      { path, line: "- text [ref=e2]: next" },
    ],
    total: 2,
  });
  const place = await bridge.call("ready", "e1", "click");
  assert.equal(place.state === "ready" && place.element.tag, "a");
  assert.deepEqual((await bridge.call("find", { text: "down", limit: 5 })).hits, [
    { path: ["text: Up Down"], line: "- text [ref=e3]: Down" },
  ]);
  const both = await bridge.call("find", { text: "up down", limit: 5 });
  assert.deepEqual(both.hits, [{ path: [], line: "- text [ref=e4]: Up Down" }]);
  // The paragraph holds its own words, and words that span several of its elements.
  for (const text of ["See", "prev next"])
    assert.deepEqual((await bridge.call("find", { text, limit: 5 })).hits, [
      { path: [], line: "- paragraph [ref=e5]: See Prev Next page, next week" },
    ]);
});
