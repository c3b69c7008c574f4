// Tests browser_steps: several actions in one call, which stop at the first surprise.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../proto/wire/struct.ts";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const FORM = `<form onsubmit="event.preventDefault(); out.textContent = new URLSearchParams(new FormData(this))">
  <label>Name <input name=name></label><label>Colour <select name=colour><option>red<option>blue</select></label>
  <label>Note <input name=note></label><button>Send</button></form><output id=out></output>`;

test("several actions are one call, with one reply about all of them", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(FORM));
  const reply = await session.do("browser_steps", {
    steps: [
      { type: { ref: refOf(page, "Name"), text: "carla" } },
      { selectOption: { ref: refOf(page, "Colour"), values: ["blue"] } },
      { type: { ref: refOf(page, "Note"), text: "hi" } },
      { pressKey: { key: "Enter" } },
    ],
    until: { text: "note=hi" },
  });
  assert.match(
    reply.text,
    /^Steps done: 4 of 4\n1\. Typed into e1\n2\. Selected "blue" in e2\n3\. Typed into e3\n4\. Pressed Enter\nWaited \d+ ms for the text "note=hi" to appear\nchanged since/,
  );
  assert.match(reply.text, /name=carla&colour=blue&note=hi/);
  assert.equal(reply.done, 4);
  assert.equal(reply.end, "STEPS_END_DONE");
});

/** Buttons that say in the page which of them was clicked. */
const button = (name: string, then = "") =>
  `<button onclick="out.textContent += ' ${name}'; ${then}">${name}</button>`;
const OUT = "<output id=out>clicked:</output>";

/** Clicks the buttons of a page in turn. */
async function clicked(content: string, names: readonly string[], more: object = {}) {
  const session = worker.session();
  const page = await session.open(site.page(content));
  const steps = names.map((name) => ({ click: { ref: refOf(page, `button "${name}"`) } }));
  return { session, page, reply: await session.call("browser_steps", { steps, ...more }) };
}

test("all refs are checked before the first action", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(button("One") + OUT));
  const one = refOf(page, "One");
  const steps: Json = [{ click: { ref: one } }, { click: { ref: "e99" } }, { pressKey: { key: "Enter" } }];
  const refusal = await session.refuse("UNKNOWN_REF", "browser_steps", { steps });
  assert.match(refusal.text, /Nothing was done: step 2 of 3 did not succeed\./);
  assert.deepEqual(refusal.details.step, { at: 2, of: 3, done: 0 });
  assert.match(await session.read(), /status: "?clicked:"?$/m);
});

test("a request that is wrong on every page is refused before the first action", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(button("One") + OUT));
  const one = { click: { ref: refOf(page, "One") } };
  const wrongKey = await session.refuse("INVALID_ARGUMENT", "browser_steps", {
    steps: [one, { pressKey: { key: "Entr" } }],
  });
  assert.deepEqual(wrongKey.steps.at(-1)?.arguments, { steps: [one, { pressKey: { key: "Enter" } }] });
  await session.refuse("INVALID_ARGUMENT", "browser_steps", { steps: [one, { waitFor: {} }] });
  await session.refuse("INVALID_ARGUMENT", "browser_steps", { steps: [one], until: { time: 1000 } });
  assert.match(await session.read(), /status: "?clicked:"?$/m);
});

test("a dialog ends the steps, and the reply says what was not done", async () => {
  const { session, reply } = await clicked(button("One", "confirm('Sure?')") + button("Two") + OUT, [
    "One",
    "Two",
  ]);
  await using _session = session;
  assert.match(
    reply.text,
    /^Steps done: 1 of 2\n1\. Clicked e1\nStopped: a dialog opened\. Not done: 2\. click e2\n/,
  );
  assert.match(reply.text, /confirm/);
  assert.equal(reply.end, "STEPS_END_DIALOG");
});

test("another document ends the steps, unless the step expects it", async () => {
  const next = site.page("<h1>Next</h1><input aria-label=Search autofocus>");
  const content = `${button("Go", `location.href='${next}'`)}${button("Two")}${OUT}`;
  const { session, reply, page } = await clicked(content, ["Go", "Two"]);
  await using _session = session;
  assert.equal(reply.end, "STEPS_END_NAVIGATION");
  assert.match(reply.text, /Stopped: the page went to another document\. Not done: 2\. click e2\n/);
  assert.match(reply.text, /heading "Next"/);
  await session.open(site.page(content));
  const go = { click: { ref: refOf(page, "Go") }, expectNavigation: true };
  const on = await session.do("browser_steps", {
    steps: [go, { waitFor: { text: "Next" } }, { type: { text: "shoes" } }],
  });
  assert.equal(on.end, "STEPS_END_DONE");
  assert.match(on.text, /textbox "Search".*: shoes/);
  await session.open(site.page(content));
  const lost = await session.do("browser_steps", { steps: [go, { click: { ref: refOf(page, "Two") } }] });
  assert.equal(lost.end, "STEPS_END_ELEMENT");
});

test("a change that takes a later step's element away ends the steps", async () => {
  for (const change of ["this.nextSibling.remove()", "this.nextSibling.textContent = 'Delete all'"]) {
    const { session, reply } = await clicked(button("One", change) + button("Two") + OUT, ["One", "Two"]);
    await using _session = session;
    assert.equal(reply.end, "STEPS_END_ELEMENT", change);
    assert.equal(reply.done, 1);
    assert.doesNotMatch(await session.read(), /clicked: One (?:Two|Delete)/);
  }
});

test("another tab ends the steps and is shown", async () => {
  const other = site.page("<h1>Other</h1>");
  const { session, reply } = await clicked(button("Open", `window.open('${other}')`) + button("Two") + OUT, [
    "Open",
    "Two",
  ]);
  await using _session = session;
  assert.equal(reply.end, "STEPS_END_NEW_TAB");
  assert.match(reply.text, /heading "Other"/);
});

test("a failing step's error says what was done, and its plan goes on with the rest", async () => {
  const content = `${button("One")}<button disabled id=two>Two</button>${button("Three")}${OUT}`;
  const { session, reply } = await clicked(content, ["One", "Two", "Three"]);
  await using _session = session;
  assert.equal(reply.error?.type, "ELEMENT_DISABLED");
  assert.match(reply.text, /Step 1 was carried out: step 2 of 3 did not succeed\./);
  assert.deepEqual(reply.error?.details.step, { at: 2, of: 3, done: 1 });
  const last = reply.error?.steps.at(-1);
  assert.equal(last?.tool, "browser_steps");
  assert.deepEqual(last?.arguments, { steps: [{ click: { ref: "e2" } }, { click: { ref: "e3" } }] });
  assert.match(await session.read(), /clicked: One"?$/m);
});

test("a condition that does not come true is an error, and its plan only waits", async () => {
  const { session, reply } = await clicked(button("One") + OUT, ["One"], {
    until: { text: "never", time: 0.2 },
  });
  await using _session = session;
  assert.equal(reply.error?.type, "TIMEOUT");
  assert.match(reply.text, /Step 1 was carried out: the wait at the end did not succeed\./);
  assert.deepEqual(reply.error?.steps.at(-1)?.tool, "browser_wait_for");
  assert.deepEqual(reply.error?.steps.at(-1)?.arguments, { text: "never", time: 0.2 });
});

test("nothing that is typed stands in a text", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<input aria-label=A><input aria-label=B readonly><input aria-label=C>${OUT}`),
  );
  const steps = ["A", "B", "C"].map((name) => ({
    type: { ref: refOf(page, `"${name}"`), text: `s3cret-${name}` },
  }));
  const { text } = await session.refuse("ELEMENT_NOT_EDITABLE", "browser_steps", { steps });
  assert.doesNotMatch(text, /s3cret/);
});

test("the call's deadline covers all steps, and its error says how far they came", async () => {
  await using session = worker.session();
  const slow = `<button onclick="out.textContent += ' One'">One</button><button onclick="for (;;);">Hang</button>${button("Two")}${OUT}`;
  const page = await session.open(site.page(slow));
  const steps = ["One", "Hang", "Two"].map((name) => ({ click: { ref: refOf(page, `button "${name}"`) } }));
  const { error } = await session.call("browser_steps", { steps }, { deadlineMs: 5_000 });
  assert.equal(error?.type, "PAGE_UNRESPONSIVE");
  assert.deepEqual(error?.details.step, { at: 2, of: 3, done: 1 });
  assert.equal(error?.details.effect, "unknown");
});

const DIALOG = `<button onclick="box.showModal()">Delete</button><dialog id=box>
  <button onclick="out.textContent += ' deleted'; box.close()">Yes, delete it</button></dialog>`;

test("an element that a step brings forth is named by its role and name", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(DIALOG + button("Two") + OUT));
  const reply = await session.do("browser_steps", {
    steps: [
      { click: { ref: refOf(page, 'button "Delete"') } },
      { click: { ref: 'button "Yes, delete it"' } },
      { click: { ref: 'button "Two"' } },
    ],
  });
  assert.match(reply.text, /^Steps done: 3 of 3\n.*\n2\. Clicked e\d+ button "Yes, delete it"\n3\. Clicked/);
  assert.match(await session.read(), /clicked: deleted Two/);
});

test("a named element that is not there, or not alone, ends the steps and is said", async () => {
  await using session = worker.session();
  const page = await session.open(site.page(DIALOG + button("Two") + button("Two") + OUT));
  const open = { click: { ref: refOf(page, 'button "Delete"') } };
  const none = await session.do("browser_steps", { steps: [open, { click: { ref: 'button "No"' } }] });
  assert.equal(none.end, "STEPS_END_ELEMENT");
  assert.match(none.text, /\nStopped: the page has no button "No"\. Not done: 2\. click button "No"\n/);
  assert.match(none.text, /- button "Yes, delete it" .*\[ref=e\d+\]/);
  const several = await session.do("browser_steps", {
    steps: [{ click: { ref: 'button "Yes, delete it"' } }, { click: { ref: 'button "Two"' } }],
  });
  assert.match(
    several.text,
    /Stopped: several elements are button "Two" \(e\d+, e\d+\), so give the ref of one\./,
  );
  const refusal = await session.refuse("UNKNOWN_REF", "browser_steps", {
    steps: [{ click: { ref: 'button "Two"' } }, { pressKey: { key: "Enter" } }],
  });
  assert.match(refusal.text, /Nothing was done: step 1 of 2 did not succeed\./);
  assert.doesNotMatch(await session.read(), /Two Two|deleted Two/);
});

test("steps may point and drag, and both ends of a drag are checked first", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<style>#more{display:none} #menu:hover #more{display:inline}</style><div id=menu><button>Menu</button>
      <button id=more onclick="out.textContent='more'">More</button></div>
      <p draggable=true tabindex=0 role=button ondragstart="event.dataTransfer.setData('text/plain', 'x')">Card</p>
      <div tabindex=0 role=group aria-label=Bin style="height:50px" ondragover="event.preventDefault()"
        ondrop="event.preventDefault(); out.textContent += ' dropped'">Bin</div><output id=out></output>`),
  );
  const [from, to] = [refOf(page, "Card"), refOf(page, "Bin")];
  const menu = { hover: { ref: refOf(page, "Menu") } };
  const { text } = await session.do("browser_steps", { steps: [menu, { drag: { from, to } }] });
  assert.match(text, /^Steps done: 2 of 2\n1\. Pointed at e\d+\n2\. Dragged e\d+ button "Card" to /);
  assert.match(text, /dropped/);
  const named = { drag: { from, to: 'group "Bin"' } };
  assert.match((await session.do("browser_steps", { steps: [menu, named] })).text, /dropped dropped/);
  const wrong = await session.refuse("UNKNOWN_REF", "browser_steps", {
    steps: [menu, { drag: { from, to: "e99" } }],
  });
  assert.match(wrong.text, /Nothing was done: step 2 of 2/);
});
