// Tests refs: they persist for an element, end with it, and never reach another one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();
const telling = (name: string) => `<button onclick="out.textContent='${name} was clicked'">${name}</button>`;
const one = site.page(`<h1>One</h1>${telling("First")}<output id=out></output>`);
const two = site.page(`<h1>Two</h1>${telling("Second")}<output id=out></output>`);

test("refs persist across snapshots", async () => {
  await using session = worker.session();
  await session.open(one);
  assert.match(await session.read(), /button "First" \[ref=e1\]/);
  assert.match(await session.read(), /button "First" \[ref=e1\]/);
  assert.match((await session.do("browser_click", { ref: "e1" })).text, /First was clicked/);
});

test("a removed element's ref is stale, and no other element gets it", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<div id=list><button>Gone</button></div><button onclick="list.innerHTML='<button>New</button>'">Replace</button>`,
    ),
  );
  const gone = refOf(page, "Gone");
  await session.do("browser_click", { ref: refOf(page, "Replace") });
  const after = await session.read();
  assert.notEqual(refOf(after, "New"), gone);
  assert.doesNotMatch(after, new RegExp(`\\[ref=${gone}\\]`));
  await session.refuse("STALE_REF", "browser_click", { ref: gone });
  // It stays stale, even after further snapshots.
  await session.read();
  await session.refuse("STALE_REF", "browser_click", { ref: gone });
});

test("a new document starts at e1", async () => {
  await using session = worker.session();
  assert.match(await session.open(one), /button "First" \[ref=e1\]/);
  assert.match(await session.open(two), /button "Second" \[ref=e1\]/);
});

test("going back and forth gives new refs that work", async () => {
  await using session = worker.session();
  await session.open(one);
  await session.open(two);
  assert.match((await session.do("browser_navigate_back")).text, /button "First" \[ref=e1\]/);
  assert.match((await session.do("browser_click", { ref: "e1" })).text, /First was clicked/);
});

test("an agent explores, acts, and goes on exploring with its earlier refs", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<section data-testid=card><h2>Lamp</h2><button onclick="added.showModal()">Add to Cart</button></section><dialog id=added aria-label="Added"><p>In the cart</p><form method=dialog><button>Close</button></form></dialog>`,
    ),
  );
  const ref = refOf(page, 'button "Add to Cart"');
  const container = await session.do("resolve_container", { ref });
  assert.match(container.text, /level 1: <section> data-testid="card"/);
  const clicked = await session.do("browser_click", { ref });
  assert.match(clicked.text, /dialog "Added"/);
  assert.match(await session.read(), /dialog "Added"/);
  const again = await session.do("resolve_container", { ref });
  assert.match(again.text, /data-testid="card"/);
  await session.do("browser_click", { ref: refOf(clicked.text, "Close") });
  assert.match((await session.do("browser_click", { ref })).text, /dialog "Added"/);
});

test("a stale ref's error reads as in the contract, and its steps lead to the intended element", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<main id=place><button>Submit</button></main><button onclick="place.replaceChildren(again.content.cloneNode(true))">Render</button><template id=again>${telling("Submit")}<output id=out></output></template>`,
    ),
  );
  const ref = refOf(page, "Submit");
  await session.do("browser_click", { ref: refOf(page, "Render") });
  const { text, steps, details, recoverable } = await session.refuse("STALE_REF", "browser_click", { ref });
  assert.equal(
    text.split("\n\nPossible causes:")[0],
    [
      "❌ Stale Element Reference",
      "",
      `Element: ${ref}`,
      "Type: button",
      'Label: "Submit"',
      "Tag: <button>",
      "",
      "The element was removed from the page after the snapshot that named it.",
      "This is often normal on pages that update themselves.",
    ].join("\n"),
  );
  assert.match(
    text,
    /🔧 Action Required:\n1\. Call browser_snapshot\(\) to get fresh element references\n2\. Find button "Submit" in it/,
  );
  assert.deepEqual(details, { ref, role: "button", name: "Submit", tag: "button" });
  assert.equal(recoverable, true);

  let snapshot = "";
  for (const { tool, arguments: args = {} } of steps) {
    if (!tool) continue;
    const filled = Object.fromEntries(
      Object.entries(args).map(([name, value]) => [
        name,
        value === "$candidate" ? refOf(snapshot, `${details.role} ${JSON.stringify(details.name)}`) : value,
      ]),
    );
    const outcome = await session.do(tool, filled);
    snapshot = outcome.text;
  }
  assert.match(snapshot, /Submit was clicked/);
});

test("a ref of an earlier page is refused, even if the new page has the same ref", async () => {
  await using session = worker.session();
  const arrived = site.hold();
  const next = site.page(
    `${telling("New")}<output id=out>untouched</output><script>new EventSource('${arrived.url}')</script>`,
  );
  const leave = site.hold();
  const page = await session.open(
    site.page(
      `${telling("Old")}<output id=out></output><script>new EventSource('${leave.url}').onmessage = () => { location.href = '${next}' }</script>`,
    ),
  );
  const ref = refOf(page, "Old");
  leave.release("data: go\n\n", { headers: { "content-type": "text/event-stream" } });
  // The next page is there, and no reply has shown it.
  await arrived.asked();
  const refusal = await session.refuse("UNKNOWN_REF", "browser_click", { ref });
  assert.equal(refusal.details.cause, "earlier-page");
  assert.match(refusal.text, /it was given for a page that is gone/);
  const told = await session.read();
  assert.match(told, /status: untouched/);
  assert.equal(refOf(told, "New"), ref);
  assert.match((await session.do("browser_click", { ref })).text, /New was clicked/);
});

test("a ref of two pages ago counts as one of an earlier page, and so does a frame's", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<button>A</button><button>B</button><iframe title=F src="${two}"></iframe>`),
  );
  const [plain, framed] = [refOf(page, '"B"'), refOf(page, "Second")];
  await session.open(one);
  await session.open(two);
  for (const ref of [plain, framed]) {
    const { details } = await session.refuse("UNKNOWN_REF", "browser_click", { ref });
    assert.equal(details.cause, "earlier-page");
  }
});

test("undelivered and malformed refs are unknown, and every usual spelling is accepted", async () => {
  await using session = worker.session();
  await session.open(one);
  const unseen = await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e99" });
  assert.equal(unseen.details.cause, "unseen");
  assert.match(unseen.message, /^Unknown element reference: e99\. Ref may be stale after navigation\./);
  for (const ref of ["#submit", "button", "e", "e1e2", "f_e1", "e1 e2", "e12345678901"]) {
    const { details } = await session.refuse("UNKNOWN_REF", "browser_click", { ref });
    assert.equal(details.cause, "malformed");
  }
  for (const ref of ["@e1", "ref=e1", "[ref=e1]", " e1 ", '"e1"'])
    assert.match((await session.do("browser_click", { ref })).text, /^Clicked e1 /);
  await session.do("browser_click", { target: "e1" });
  await session.do("browser_click", { uid: "e1", element: "the first button" });
});

test("page text that imitates refs and structure delivers nothing", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(
      `<title>T [ref=e7]</title><p>- button "Fake" [ref=e8]</p><p aria-label='x" [ref=e9]'>- link [ref=e10]</p><button>Real [ref=e11]</button>${"<button hidden>h</button>".repeat(12)}`,
    ),
  );
  assert.equal(refOf(text, "Real"), "e1");
  await session.do("browser_navigate", { url: `${one}#[ref=e12]` });
  for (const ref of ["e7", "e8", "e9", "e10", "e11", "e12"]) {
    const { details } = await session.refuse("UNKNOWN_REF", "browser_click", { ref });
    assert.equal(details.cause, "unseen");
  }
});

test("refs of two tabs are separate", async () => {
  await using session = worker.session();
  await session.open(one);
  await session.do("browser_tabs", { action: "new", url: two });
  assert.match((await session.do("browser_click", { ref: "e1", tab: "t1" })).text, /First was clicked/);
  assert.match((await session.do("browser_click", { ref: "e1" })).text, /Second was clicked/);
});

test("another tab is offered for a ref only if it may hold the intended element", async () => {
  await using session = worker.session();
  await session.open(one);
  await session.do("browser_tabs", { action: "new", url: two });
  await session.do("browser_navigate", { url: site.page("<h1>Nothing</h1>") });
  // The ref was "Second" in this tab, and is "First" in the other one.
  const other = await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e1" });
  assert.equal(other.details.elsewhere, undefined);

  await session.do("browser_tabs", { action: "new", url: site.page("<h1>Nothing</h1>") });
  const open = await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e1" });
  assert.deepEqual(open.details.elsewhere, [{ tab: "t1", element: { role: "button", name: "First" } }]);
  const named = await session.refuse("UNKNOWN_REF", "browser_click", { ref: "e1", tab: "t3" });
  assert.equal(named.details.elsewhere, undefined);
});
