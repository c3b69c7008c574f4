// Tests elements that differ from what was delivered. They are not acted on, and the error says what they are now.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";
import { isUntouched, untoldOn } from "./unreported-change.ts";

const { worker, site } = await stage();

const untold = (change: string, content: string) => untoldOn({ worker, site }, change, content);

test("a row reused for another item is refused with its new content, and then the same call works", async () => {
  await using stage = await untold(
    "document.querySelector('button').textContent = 'Delete Bob'",
    "<ul><li><button>Delete Ada</button></li></ul>",
  );
  const { session, page, happen } = stage;
  const ref = refOf(page, "Delete Ada");
  await happen();
  const refusal = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
  assert.deepEqual(refusal.details, {
    ref,
    role: "button",
    name: "Delete Ada",
    tag: "button",
    nowRole: "button",
    nowName: "Delete Bob",
  });
  assert.match(refusal.text, /Is now: button "Delete Bob"/);
  assert.equal(refusal.steps.at(-1)?.tool, undefined);
  await isUntouched(session);
  assert.match((await session.do("browser_click", { ref })).text, /clicked Delete Bob/);
});

test("a snapshot delivers the new name, and then the click works", async () => {
  await using stage = await untold(
    "document.querySelector('button').textContent = 'Delete Bob'",
    "<button>Delete Ada</button>",
  );
  const { session, page, happen } = stage;
  await happen();
  await session.do("browser_snapshot");
  assert.match((await session.do("browser_click", { ref: refOf(page, "Ada") })).text, /clicked Delete Bob/);
});

test("another role under the ref is another element", async () => {
  await using stage = await untold(
    "document.querySelector('[tabindex]').setAttribute('role', 'link')",
    "<div role=button tabindex=0>More</div>",
  );
  const { session, page, happen } = stage;
  await happen();
  const { details } = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref: refOf(page, "More") });
  assert.equal(details.nowRole, "link");
});

test("if several elements share a name, the row's text is part of what was delivered", async () => {
  for (const [list, cell] of [
    ["<table><tr><td>Ada<td><button>Delete</button><tr><td>Bob<td><button>Delete</button></table>", "td"],
    [
      "<ul><li><span>Ada</span> <button>Delete</button><li><span>Bob</span> <button>Delete</button></ul>",
      "span",
    ],
  ]) {
    await using stage = await untold(`document.querySelector('${cell}').textContent = 'Cy'`, list ?? "");
    const { session, page, happen } = stage;
    const ref = refOf(page, "Delete");
    await happen();
    const { text } = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
    assert.match(text, /Was in: "Ada Delete"\nIs now: button "Delete" in "Cy Delete"/);
    await isUntouched(session);
    await session.do("browser_click", { ref });
  }
});

test("if only one element has the name, the rest of its row may change", async () => {
  await using stage = await untold(
    "document.querySelector('td').textContent = 'shipped'",
    "<table><tr><td>open<td><button>Delete Ada</button><tr><td>open<td><button>Delete Bob</button></table>",
  );
  const { session, page, happen } = stage;
  await happen();
  await session.do("browser_click", { ref: refOf(page, "Delete Ada") });
});

test("a row is still compared after its look-alike has gone", async () => {
  await using stage = await untold(
    "document.querySelector('td').textContent = 'Bob'; document.querySelectorAll('tr')[1].remove()",
    "<table><tr><td>Ada<td><button>Delete</button><tr><td>Bob<td><button>Delete</button></table>",
  );
  const { session, page, happen } = stage;
  await happen();
  await session.refuse("ELEMENT_CHANGED", "browser_click", { ref: refOf(page, "Delete") });
});

test("a reply's new content of the row counts as delivered, so acting there again works", async () => {
  await using session = worker.session();
  const row = (name: string) =>
    `<tr><td>${name}<td><output>open</output><td><button onclick="this.closest('tr').querySelector('output').textContent='done'">Mark</button>`;
  const page = await session.open(site.page(`<table>${row("Ada")}${row("Bob")}</table>`));
  const ref = refOf(page, "Mark");
  assert.match((await session.do("browser_click", { ref })).text, /done/);
  await session.do("browser_click", { ref });
});

test("a timer or counter stays the same element, whatever it shows", async () => {
  for (const [before, after] of [
    ["Cart (1)", "Cart (2)"],
    ["Ends in 1:59", "Ends in 2:00"],
    ["999 likes", "1,000 likes"],
  ]) {
    await using stage = await untold(
      `document.querySelector('button').textContent = '${after}'`,
      `<button>${before}</button><button>Other</button>`,
    );
    const { session, page, happen } = stage;
    await happen();
    await session.do("browser_click", { ref: refOf(page, before ?? "") });
  }
});

test("digits count if a similar element beside it differs in nothing else", async () => {
  for (const list of [
    "<ul><li><button>Order 1001</button><li><button>Order 1002</button></ul>",
    "<div><button>Order 1001</button><button>Order 1002</button></div>",
    "<table><tr><td><button>Order 1001</button><tr><td><button>Order 1002</button></table>",
  ]) {
    await using stage = await untold("document.querySelector('button').textContent = 'Order 1003'", list);
    const { session, page, happen } = stage;
    await happen();
    await session.refuse("ELEMENT_CHANGED", "browser_click", { ref: refOf(page, "1001") });
    await isUntouched(session);
  }
});

test("digits of a row count only if rows differ in nothing else", async () => {
  const rows = (...cells: string[]) =>
    `<table>${cells.map((cell) => `<tr><td>${cell}<td><button>Open</button>`).join("")}</table>`;
  const change =
    "document.querySelector('td').textContent = document.querySelector('td').textContent.replace('1', '3')";
  {
    await using stage = await untold(change, rows("Order 1", "Order 2"));
    await stage.happen();
    await stage.session.refuse("ELEMENT_CHANGED", "browser_click", { ref: refOf(stage.page, "Open") });
  }
  await using stage = await untold(change, rows("Ada, 1 minute ago", "Bob, 2 minutes ago"));
  await stage.happen();
  await stage.session.do("browser_click", { ref: refOf(stage.page, "Open") });
});

test("text goes into no other field, and no other list is chosen from", async () => {
  await using stage = await untold(
    "document.querySelectorAll('[aria-label]').forEach((el) => el.setAttribute('aria-label', 'Other'))",
    `<input aria-label=Name><input type=date aria-label=Day><select aria-label=Colour><option>Red<option>Green</select>`,
  );
  const { session, page, happen } = stage;
  await happen();
  const [name, day, colour] = [refOf(page, "Name"), refOf(page, "Day"), refOf(page, "Colour")];
  await session.refuse("ELEMENT_CHANGED", "browser_type", { ref: name, text: "Ada" });
  await session.refuse("ELEMENT_CHANGED", "browser_type", { ref: day, text: "2026-03-31" });
  await session.refuse("ELEMENT_CHANGED", "browser_select_option", { ref: colour, values: ["Green"] });
  const after = await session.read();
  assert.doesNotMatch(after, /Ada|2026|"Green" \[selected\]/);
});

test("elements of frames are compared too", async () => {
  const inner = "<button onclick='1'>Delete Ada</button>";
  await using stage = await untold(
    "document.querySelector('iframe').contentDocument.querySelector('button').textContent = 'Delete Bob'",
    `<iframe title=F srcdoc="${inner}"></iframe>`,
  );
  const { session, page, happen } = stage;
  const ref = refOf(page, "Delete Ada");
  assert.match(ref, /^f1_/);
  await happen();
  const { details } = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
  assert.equal(details.nowName, "Delete Bob");
  await session.do("browser_click", { ref });
});

test("an element found by a search is compared with the search's line", async () => {
  const rows = Array.from(
    { length: 300 },
    (_, at) => `<li><button>Delete ${"abc".charAt(at % 3)}${at}x</button>`,
  );
  await using stage = await untold(
    "document.querySelectorAll('button')[250].textContent = 'Delete Zoe'",
    `<ul>${rows.join("")}</ul>`,
  );
  const { session, happen } = stage;
  await session.do("browser_snapshot", { maxTokens: 300, full: true });
  const found = await session.do("browser_find", { text: "Delete b250x" });
  const ref = refOf(found.text, "b250x");
  await happen();
  const { details } = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
  assert.equal(details.name, "Delete b250x");
});

test("elements that a fold leaves out do not count as delivered", async () => {
  const rows = Array.from(
    { length: 300 },
    (_, at) => `<li><button>Delete ${at % 2 ? "x" : "y"}${"abc".charAt(at % 3)}</button>`,
  );
  rows[250] = "<li><button>Delete Ada</button>";
  await using stage = await untold(
    "document.querySelectorAll('button')[250].textContent = 'Delete Zoe'",
    `<ul>${rows.join("")}</ul>`,
  );
  const { session, happen } = stage;
  const ref = refOf(await session.read(), "Delete Ada");
  await happen();
  assert.doesNotMatch((await session.do("browser_snapshot", { maxTokens: 300, full: true })).text, /Zoe/);
  const { details } = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
  assert.deepEqual([details.name, details.nowName], ["Delete Ada", "Delete Zoe"]);
});

test("the error's plan leads to the intended element's new place", async () => {
  await using stage = await untold(
    "const b = document.querySelectorAll('button'); b[0].textContent = 'Delete Bob'; b[1].textContent = 'Delete Ada'",
    "<ul><li><button>Delete Ada</button><li><button>Delete Bob</button></ul>",
  );
  const { session, page, happen } = stage;
  await happen();
  const { candidates, steps } = await session.refuse("ELEMENT_CHANGED", "browser_click", {
    ref: refOf(page, "Delete Ada"),
  });
  assert.deepEqual(candidates, [{ ref: refOf(page, "Delete Bob"), role: "button", name: "Delete Ada" }]);
  assert.deepEqual(steps.at(-1)?.arguments, { ref: "$candidate" });
  assert.match(
    (await session.do("browser_click", { ref: String(candidates[0]?.ref) })).text,
    /clicked Delete Ada/,
  );
});

const rows = "<table><tr><td>Ada<td><button>Delete</button><tr><td>Bob<td><button>Delete</button></table>";
const otherRow = "document.querySelector('td').textContent = 'Cy'";

test("a reply that shows only a ref delivers nothing else about it", async () => {
  for (const [tool, more] of [
    ["resolve_container", {}],
    ["inspect_pattern", { ancestorLevel: 1 }],
  ] as const) {
    await using stage = await untold(
      "document.querySelector('button').textContent = 'Delete Bob'",
      "<ul><li><a href=#x>Profile</a><button>Delete Ada</button></li></ul>",
    );
    const { session, page, happen } = stage;
    const ref = refOf(page, "Delete Ada");
    await happen();
    const { text } = await session.do(tool, { ref: refOf(page, "Profile"), ...more });
    assert.match(text, new RegExp(`\\[ref=${ref}\\]`));
    await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
    await isUntouched(session);
  }
});

test("a reply that shows an element without its row delivers nothing of the row", async () => {
  for (const [tool, args] of [
    ["browser_find", { text: "Delete" }],
    ["browser_snapshot", { interactiveOnly: true }],
    ["browser_take_screenshot", { annotate: true }],
  ] as const) {
    await using stage = await untold(otherRow, rows);
    const { session, page, happen } = stage;
    const ref = refOf(page, "Delete");
    await happen();
    assert.match((await session.do(tool, args)).text, new RegExp(`\\[ref=${ref}\\]`));
    const { text } = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
    assert.match(text, /Was in: "Ada Delete"\nIs now: button "Delete" in "Cy Delete"/);
    await isUntouched(session);
  }
});

test("a snapshot of the element alone does not deliver its row, but one of the row does", async () => {
  await using stage = await untold(otherRow, rows.replaceAll("<tr>", "<tr tabindex=0>"));
  const { session, page, happen } = stage;
  const ref = refOf(page, "button");
  await happen();
  await session.do("browser_snapshot", { ref });
  const { details } = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
  assert.equal(details.nowRow, "Cy Delete");
  {
    await using stage = await untold(otherRow, rows.replaceAll("<tr>", "<tr tabindex=0>"));
    const { session, page, happen } = stage;
    await happen();
    await session.do("browser_snapshot", { ref: refOf(page, "row") });
    await session.do("browser_click", { ref: refOf(page, "button") });
  }
});

test("a reply without the row still delivers role and name", async () => {
  for (const [tool, args] of [
    ["browser_find", { text: "Delete" }],
    ["browser_snapshot", { interactiveOnly: true }],
    ["browser_take_screenshot", { annotate: true }],
  ] as const) {
    await using stage = await untold(
      "document.querySelector('button').textContent = 'Delete Bob'",
      "<ul><li>Row <button>Delete Ada</button></li></ul>",
    );
    const { session, page, happen } = stage;
    await happen();
    assert.match((await session.do(tool, args)).text, /Delete Bob/);
    const { text } = await session.do("browser_click", { ref: refOf(page, "Delete Ada") });
    assert.match(text, /clicked Delete Bob/);
  }
});

test("a snapshot of the whole page delivers the row", async () => {
  await using stage = await untold(otherRow, rows);
  const { session, page, happen } = stage;
  await happen();
  await session.do("browser_find", { text: "Delete" });
  await session.do("browser_snapshot", { full: true });
  assert.match((await session.do("browser_click", { ref: refOf(page, "Delete") })).text, /clicked Delete/);
});

test("a change of only the element delivers nothing of a row that was left out before", async () => {
  const list = Array.from(
    { length: 300 },
    (_, at) => `<li><span>Row ${"abc".charAt(at % 3)}${at}x</span> <button>Delete</button>`,
  );
  await using stage = await untold(
    "document.querySelectorAll('span')[250].textContent = 'Cy'",
    `<button onclick="document.querySelectorAll('li button')[250].setAttribute('aria-pressed', true)">Press</button><ul>${list.join("")}</ul>`,
  );
  const { session, page, happen } = stage;
  const whole = await session.read();
  const ref = refOf(whole.slice(whole.indexOf("Row b250x")), "Delete");
  await happen();
  assert.doesNotMatch((await session.do("browser_snapshot", { maxTokens: 300, full: true })).text, /Cy/);
  const { text } = await session.do("browser_click", { ref: refOf(page, "Press") });
  assert.match(text, new RegExp(`~ - button "Delete" \\[pressed\\] \\[ref=${ref}\\]`));
  const { details } = await session.refuse("ELEMENT_CHANGED", "browser_click", { ref });
  assert.equal(details.nowRow, "Cy Delete");
});

test("a page's change in answer to the focus is no reason for a refusal", async () => {
  await using session = worker.session();
  const row = (name: string) =>
    `<tr onfocusin="this.cells[0].textContent = '${name} (editing)'"><td>${name}<td><input type=date aria-label=Day>
     <td><select aria-label=Size><option>S<option>M</select>`;
  const page = await session.open(site.page(`<table>${row("Ada")}${row("Bob")}</table>`));
  await session.do("browser_select_option", { ref: refOf(page, "Size"), values: ["M"] });
  const again = await session.open(site.page(`<table>${row("Ada")}${row("Bob")}</table>`));
  const day = refOf(again, "Day");
  const { text } = await session.do("browser_type", { ref: day, text: "2026-03-31" });
  assert.match(text, /Ada \(editing\)/);
});
