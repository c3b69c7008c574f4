// Tests the errors for an element that the page has rendered again: they name its successor, or none.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorDetail } from "../../../proto/errors/catalogue.ts";
import { refOf, stage, type WorkerSession } from "../../harness/worker.ts";

const { worker, site } = await stage();

const told = `<output id=out></output><script>
  addEventListener('click', ({ target }) => {
    if (target.id === 'go') return;
    out.textContent = 'clicked ' + (target.closest('[data-of]')?.dataset.of ?? target.textContent);
  })</script>`;

/** A page whose part `#it` becomes another when its button is clicked. */
function rendering(before: string, after: string, around = (content: string) => content): string {
  const script =
    "const t = document.getElementById('t'); document.getElementById('it').replaceWith(t.content.firstElementChild)";
  return `<button id=go onclick="${script}">Render</button>${around(before)}<template id=t>${after}</template>${told}`;
}

/** Clicks an earlier ref after the page has rendered. */
async function clickStale(session: WorkerSession, html: string, words: string, nth = 0) {
  const page = await session.open(site.page(html));
  const line = page.split("\n").filter((each) => each.includes(words))[nth] ?? assert.fail(page);
  const ref = refOf(line, words);
  await session.do("browser_click", { ref: refOf(page, '"Render"') });
  return await session.refuse("STALE_REF", "browser_click", { ref });
}

/** Follows the plan's steps and nothing else. Returns the last call's reply. */
async function follow(session: WorkerSession, { steps, candidates }: ErrorDetail): Promise<string> {
  let text = "";
  for (const { tool, arguments: args = {} } of steps) {
    assert.ok(tool !== undefined || /^Find /.test(steps.find((each) => !each.tool)?.text ?? ""));
    if (!tool) continue;
    const ref = args.ref === "$candidate" ? (candidates[0]?.ref ?? assert.fail("no candidate")) : args.ref;
    text = (await session.do(tool, { ...args, ...(ref !== undefined && { ref }) })).text;
  }
  return text;
}

const row = (name: string) => `<li data-of="${name}">${name} <button>Delete</button></li>`;
const list = (...names: string[]) => `<ul id=it>${names.map(row).join("")}</ul>`;

test("the successor is the same button in the same place, if its part or its list was rendered again", async () => {
  await using session = worker.session();
  const page = "<div id=it><button>Save</button></div>";
  const refusal = await clickStale(session, rendering(page, page), '"Save"');
  assert.deepEqual(
    refusal.candidates.map(({ role, name }) => [role, name]),
    [["button", "Save"]],
  );
  const [, find, act] = refusal.steps;
  const ref = refusal.candidates[0]?.ref;
  assert.equal(find?.text, `Find button "Save" in it (likely ${ref})`);
  assert.equal(act?.text, `Call browser_click(ref: "${ref}")`);
  assert.match(refusal.text, new RegExp(`Likely the same element now: ${ref} button "Save"`));
  assert.match(await follow(session, refusal), /clicked Save/);
});

test("a candidate can be used at once, without another snapshot", async () => {
  await using session = worker.session();
  const page = "<div id=it><button>Save</button></div>";
  const { candidates } = await clickStale(session, rendering(page, page), '"Save"');
  assert.match((await session.do("browser_click", { ref: String(candidates[0]?.ref) })).text, /clicked Save/);
});

test("among look-alikes, the successor is the one in the same row, wherever the row is now", async () => {
  await using session = worker.session();
  for (const [nth, name] of ["Ada", "Bob", "Cy"].entries()) {
    const html = rendering(list("Ada", "Bob", "Cy"), list("Zoe", "Cy", "Bob", "Ada"));
    const refusal = await clickStale(session, html, '"Delete"', nth);
    assert.match(await follow(session, refusal), new RegExp(`clicked ${name}`));
  }
});

test("among look-alikes, the successor is the one in the same named part", async () => {
  await using session = worker.session();
  const part = (name: string) =>
    `<section aria-label="${name}" data-of="${name}"><button>Edit</button></section>`;
  const page = `<div id=it>${part("Address")}${part("Payment")}</div>`;
  const refusal = await clickStale(session, rendering(page, page), '"Edit"', 1);
  assert.match(await follow(session, refusal), /clicked Payment/);
});

test("among look-alikes without names around them, position decides if all else is unchanged", async () => {
  await using session = worker.session();
  const part = (name: string) => `<div data-of="${name}">${name} <button>Edit</button></div>`;
  const page = `<div id=it>${part("Address")}${part("Payment")}</div>`;
  const refusal = await clickStale(session, rendering(page, page), '"Edit"', 1);
  assert.match(await follow(session, refusal), /clicked Payment/);
  const other = `<div id=it>${part("Payment")}${part("Delivery")}</div>`;
  const unsure = await clickStale(session, rendering(page, other), '"Edit"', 1);
  assert.deepEqual(unsure.candidates, []);
});

test("an element that already stood beside it is not its successor", async () => {
  await using session = worker.session();
  const other = "<button>Save</button>";
  const page = "<div id=it><button>Save</button></div>";
  const html = rendering(page, page, (content) => `${other}${content}${other}`);
  const refusal = await clickStale(session, html, '"Save"', 1);
  const now = await session.read();
  const refs = [...now.matchAll(/button "Save".*\[ref=(e\d+)\]/g)].map(([, ref]) => ref);
  assert.deepEqual(
    refusal.candidates.map(({ ref }) => ref),
    [refs[1]],
  );
});

test("if the intended element is ambiguous, the plan asks the reader to choose, and names none", async () => {
  await using session = worker.session();
  for (const [before, after] of [
    [list("Ada", "Bob"), list("Bob", "Cy")],
    [list("Ada"), list("Bob")],
    [
      '<dialog open id=it aria-label="Edit Ada"><button>Delete</button></dialog>',
      '<dialog open id=it aria-label="Edit Bob"><button>Delete</button></dialog>',
    ],
  ]) {
    const refusal = await clickStale(session, rendering(before ?? "", after ?? ""), '"Delete"');
    assert.deepEqual(refusal.candidates, []);
    assert.equal(refusal.steps.at(-1)?.tool, undefined);
    assert.ok(refusal.steps.every(({ arguments: args }) => args?.ref !== "$candidate"));
    assert.match(refusal.text, /Choose the element that was meant: button "Delete"/);
    assert.doesNotMatch(await session.read(), /clicked/);
  }
});

test("if one of two look-alikes is left, it is not taken for the other", async () => {
  await using session = worker.session();
  const card = (name: string) => `<div data-of="${name}"><b>${name}</b> <button>Delete</button></div>`;
  const bare = "<div><button>Delete</button></div>";
  for (const [before, after] of [
    [card("Ada") + card("Bob"), card("Bob")],
    [bare + bare, bare],
    [
      `<section aria-label=People>${card("Ada")}${card("Bob")}</section>`,
      `<section aria-label=People>${card("Bob")}</section>`,
    ],
  ]) {
    const html = rendering(`<div id=it>${before}</div>`, `<div id=it>${after}</div>`);
    const refusal = await clickStale(session, html, '"Delete"');
    assert.deepEqual(refusal.candidates, []);
    assert.doesNotMatch(await session.read(), /clicked/);
  }
});

test("neither of two candidates is taken if one is in the old part and one in the new", async () => {
  await using session = worker.session();
  const card = (name: string) => `<div data-of="${name}"><b>${name}</b> <button>Delete</button></div>`;
  const page = `<button id=go onclick="it.innerHTML = t.innerHTML">Render</button>
    <section aria-label=People id=it>${card("Ada")}${card("Bob")}</section><template id=t>${card("Bob")}</template>${told}`;
  const refusal = await clickStale(session, page, '"Delete"');
  assert.deepEqual(refusal.candidates, []);
});

test("a card is recognized by its heading, wherever the heading stands in it", async () => {
  await using session = worker.session();
  const below = (name: string) => `<div data-of="${name}"><button>Delete</button><h3>${name}</h3></div>`;
  const above = (name: string) =>
    `<div data-of="${name}"><div><h3>${name}</h3></div><div><button>Delete</button></div></div>`;
  const flat = (name: string) => `<h3>${name}</h3><button data-of="${name}">Delete</button>`;
  for (const card of [below, above, flat]) {
    const cards = (...names: string[]) => `<div id=it>${names.map(card).join("")}</div>`;
    for (const [nth, name] of ["Ada", "Bob", "Cy"].entries()) {
      const html = rendering(cards("Ada", "Bob", "Cy"), cards("Zoe", "Cy", "Bob", "Ada"));
      assert.match(
        await follow(session, await clickStale(session, html, '"Delete"', nth)),
        new RegExp(`clicked ${name}`),
      );
    }
    for (const [before, after] of [
      [cards("Ada", "Bob"), cards("Bob")],
      [cards("Ada"), cards("Bob")],
    ]) {
      const refusal = await clickStale(session, rendering(before ?? "", after ?? ""), '"Delete"');
      assert.deepEqual(refusal.candidates, []);
    }
  }
});

test("an element that is gone for good has no candidate, and its plan finds it when it returns", async () => {
  await using session = worker.session();
  const refusal = await clickStale(
    session,
    rendering("<div id=it><button>Save</button></div>", "<p id=it>Saved</p>"),
    '"Save"',
  );
  assert.deepEqual(refusal.candidates, []);
  assert.deepEqual(refusal.steps.at(-1)?.arguments, { ref: "$candidate" });
});

test("the plan types into a field that was rendered again", async () => {
  await using session = worker.session();
  const page = "<form id=it><label>Name <input></label></form>";
  const before = await session.open(site.page(rendering(page, page)));
  const ref = refOf(before, '"Name"');
  await session.do("browser_click", { ref: refOf(before, '"Render"') });
  const refusal = await session.refuse("STALE_REF", "browser_type", { ref, text: "Ada" });
  await follow(session, refusal);
  assert.match(await session.read(), /textbox "Name".*: Ada/);
});

test("reading by a ref that has gone names the successor too", async () => {
  await using session = worker.session();
  const page = "<div id=it><button>Save</button></div>";
  await clickStale(session, rendering(page, page), '"Save"');
  const again = await session.open(site.page(rendering(page, page)));
  await session.do("browser_click", { ref: refOf(again, '"Render"') });
  for (const [tool, more] of [
    ["browser_snapshot", {}],
    ["browser_wait_for", { state: "visible" }],
    ["browser_take_screenshot", {}],
  ] as const) {
    const { candidates } = await session.refuse("STALE_REF", tool, { ref: refOf(again, '"Save"'), ...more });
    assert.equal(candidates.length, 1, tool);
  }
});
