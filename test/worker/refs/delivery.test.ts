// Tests that the refs in a reply can be used. Refs of a document that has gone meanwhile cannot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

test("the call on a fold's line opens the fold", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page("<button>Shown</button><div aria-hidden=true><button>One</button><button>Two</button></div>"),
  );
  const ref = /expand with browser_snapshot ref=(e\d+)/.exec(page)?.[1];
  const opened = await session.do("browser_snapshot", { ref: String(ref) });
  assert.match(opened.text, /button "One" \[ref=e\d+\]/);
});

test("refs that a structural query shows can be clicked", async () => {
  await using session = worker.session();
  const buttons = Array.from(
    { length: 40 },
    (_, at) => `<li><button onclick="out.textContent='${at} clicked'">B${at}</button></li>`,
  );
  const page = await session.open(
    site.page(`<output id=out></output><button>First</button><ul>${buttons.join("")}</ul>`),
  );
  // The snapshot was cut, so most of these refs were not delivered by it.
  await session.do("browser_snapshot", { maxTokens: 60, full: true });
  const told = await session.do("resolve_container", { ref: refOf(page, "B0") });
  // The list has a ref too, because it was folded. The buttons' refs come before it.
  const ref = [...told.text.matchAll(/\[ref=(e\d+)\]/g)].at(-2)?.[1];
  assert.match((await session.do("browser_click", { ref: String(ref) })).text, /clicked/);
});

test("typing goes into the field that was named, or nowhere", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<input aria-label=Stealing onfocus="other.focus()"><input aria-label=Other id=other><input aria-label=Plain>`,
    ),
  );
  const refused = await session.refuse("ELEMENT_NOT_EDITABLE", "browser_type", {
    ref: refOf(page, "Stealing"),
    text: "secret",
  });
  assert.match(refused.message, /Stealing/);
  const now = await session.read();
  assert.doesNotMatch(now, /secret/);
  assert.match((await session.do("browser_type", { ref: refOf(page, "Plain"), text: "fine" })).text, /fine/);
});

test("a number field refuses a text that it would drop", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<input type=number aria-label=Count value=5>`));
  await session.refuse("INVALID_ARGUMENT", "browser_type", { ref: refOf(page, "Count"), text: "abc" });
  assert.match(await session.read(), /spinbutton "Count".*: 5/);
  assert.match((await session.do("browser_type", { ref: refOf(page, "Count"), text: "7.5" })).text, /7\.5/);
});

test("a tag that imitates a ref delivers none", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button>Real</button><p><x-a[ref=e2] tabindex=0>odd</x-a[ref=e2]></p>`),
  );
  const told = await session.do("extract_anchors", { ref: refOf(page, "odd"), ancestorLevel: 1 });
  assert.doesNotMatch(told.text, /<x-a\[/);
});

test("a dialog of a megabyte is shown in a few words, and the worker survives", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(`<button onclick="alert('漢'.repeat(1e6))">Ask</button>`));
  await session.do("browser_click", { ref: refOf(page, "Ask") });
  const refused = await session.refuse("DIALOG_OPEN", "browser_snapshot");
  assert.ok(JSON.stringify(refused).length < 10_000);
  await session.do("browser_handle_dialog", { accept: true });
});

test("a session that may lack its last reply sees the whole page in its next snapshot", async () => {
  const page = site.page("<h1>Orders</h1><button onclick=this.remove()>Hide</button>");
  for (const [mayLack, answer] of [
    [false, /^unchanged since snapshot/],
    [true, /^Page /],
  ] as const) {
    await using session = worker.session();
    const shown = await session.open(page);
    assert.match((await session.do("browser_snapshot", {}, { mayLack })).text, answer);
    // This also holds if an action comes before the snapshot.
    await session.open(page);
    await session.do("browser_click", { ref: refOf(shown, "Hide") }, { mayLack });
    assert.match((await session.do("browser_snapshot")).text, answer);
  }
});
