// Tests any page within any budget. Runs fold, deep parts close, and each fold's line opens what is left out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const rows = (count: number) =>
  Array.from({ length: count }, (_, row) => `<li><a href=/${row}>Row ${row}</a></li>`).join("");

test("a long run of like siblings is folded, and its line names the next call", async () => {
  await bridge.open(`<h1>Top</h1><ul>${rows(300)}</ul><footer><p>End</p></footer>`);
  const { text, left, elementCount } = await bridge.call("tree", { room: 2_000 });
  assert.ok(text.length <= 2_000);
  const fold =
    /^ {2}- … (\d+) more listitem like these \[expand with browser_snapshot ref=(e\d+) offset=(\d+)\]$/m.exec(
      text,
    );
  const [, count, ref, offset] = fold ?? assert.fail(text);
  assert.equal(Number(count) + Number(offset), 300);
  assert.match(text, new RegExp(`^- list \\[ref=${ref}\\]:$`, "m"));
  // The content after the run is shown, too.
  assert.match(text, /paragraph: End/);
  // The content of the folded siblings is not counted, because it may not be read yet.
  assert.equal(left, Number(count));
  assert.equal(elementCount, 604);
  const next = await bridge.tree({ ref, offset: Number(offset), room: 2_000 });
  assert.match(next, new RegExp(`^- list \\[ref=${ref}\\]:\\n  - listitem:\\n    - link "Row ${offset}"`));
});

test("the calls that folds name lead to the last row", async () => {
  await bridge.open(`<ul>${rows(1_000)}</ul>`);
  let text = await bridge.tree({ room: 10_000 });
  for (let calls = 0; calls < 20 && !text.includes("Row 999"); calls++) {
    const [, ref = "", offset = ""] = /ref=(e\d+) offset=(\d+)\]/.exec(text) ?? [];
    text = await bridge.tree({ ref, offset: Number(offset), room: 10_000 });
  }
  assert.match(text, /Row 999/);
});

test("a single further sibling is not folded", async () => {
  await bridge.open(`<ul>${rows(4)}</ul>`);
  assert.doesNotMatch(await bridge.tree({ room: 150 }), / 1 more /);
});

test("deep parts are closed, and open by their ref", async () => {
  const deep = 300;
  await bridge.open(`${"<section aria-label=S>".repeat(deep)}<button>Deepest</button>`);
  const text = await bridge.tree({ room: 1_000 });
  assert.ok(text.length <= 1_000);
  const [, ref] = /… \d+ more \[expand with browser_snapshot ref=(e\d+)\]/.exec(text) ?? assert.fail(text);
  assert.match(await bridge.tree({ ref, depth: 2 }), /^- region "S":\n {2}- region "S"/);
});

/** Makes `count` unlike elements, none of which folds with its neighbours. */
const medley = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 ? `<button>Button ${index}</button>` : `<h2>Heading ${index}</h2>`,
  ).join("");

test("without room for the minimum, the last line counts the missing elements and leads to them", async () => {
  await bridge.open(`${medley(6)}<ul>${rows(3)}</ul>${medley(40)}`);
  const { text: first, left, elementCount } = await bridge.call("tree", { room: 250 });
  assert.equal(left, elementCount - first.split("\n").filter((line) => line && !line.includes("…")).length);
  let text = first;
  for (let calls = 0; calls < 40 && !text.includes('"Button 39"'); calls++) {
    const last = /\[expand with browser_snapshot ref=(e\d+)(?: offset=(\d+))?\]\n?$/;
    const [, ref, offset = 0] = last.exec(text) ?? assert.fail(text);
    text = await bridge.tree({ ref, offset: Number(offset), room: 250 });
  }
  assert.match(text, /"Button 39"/);
});

test("an item opened in too little room comes part by part and is never closed again", async () => {
  await bridge.open(`<ul aria-label=All>${rows(30)}</ul><button>After</button>`);
  const first = await bridge.tree({ room: 260 });
  const [, ref] = /list "All" \[ref=(e\d+)\]/.exec(first) ?? assert.fail(first);
  let text = await bridge.tree({ ref, room: 230 });
  let calls = 0;
  for (; calls < 40 && !/listitem \[ref=\w+\]:\n.*\n$|Row 29/.test(text); calls++) {
    const [, offset] = new RegExp(`ref=${ref} offset=(\\d+)\\]\\n?$`).exec(text) ?? assert.fail(text);
    text = await bridge.tree({ ref, offset: Number(offset), room: 230 });
  }
  assert.ok(calls > 2);
  assert.doesNotMatch(text, /offset=/);
});

test("no page is larger than its room", async () => {
  const pages = [
    `<p>${"word ".repeat(1_000_000)}</p>`,
    `<textarea>${"x".repeat(1_000_000)}</textarea>`,
    "<i>a</i><br>".repeat(20_000),
    "<div><button>B</button></div>".repeat(20_000),
    "<h2>T</h2><p>text</p><hr>".repeat(5_000),
    `<table>${"<tr>".concat("<td>x".repeat(50)).repeat(200)}</table>`,
    `<button aria-label="${"n".repeat(100_000)}">B</button>`.repeat(50),
    `<input placeholder="${"p".repeat(100_000)}">`.repeat(10),
    "<select>".concat("<option>O".repeat(5_000)),
  ];
  for (const page of pages) {
    await bridge.open(page);
    for (const room of [200, 2_000, 24_000]) {
      for (const interactiveOnly of [false, true]) {
        const { text } = await bridge.call("tree", { room, interactiveOnly });
        assert.ok(text.length <= room, `${text.length} characters for ${room} of ${page.slice(0, 30)}`);
      }
    }
  }
});

test("nothing is folded without a bound, or if everything fits", async () => {
  await bridge.open(`<ul>${rows(300)}</ul>`);
  const whole = await bridge.tree();
  assert.doesNotMatch(whole, /more listitem/);
  assert.equal(await bridge.tree({ room: whole.length + 1 }), whole);
});

const words = (count: number) => "some words of a text ".repeat(count);

test("texts and long runs go first; headings, landmarks, links of navigation and controls stay", async () => {
  const sections = Array.from(
    { length: 12 },
    (_, at) =>
      `<h2>Chapter ${at}</h2><p>${words(9)}</p><p>${words(40)}</p><p>${words(9)}</p><ul>${rows(30)}</ul>`,
  );
  const links = Array.from({ length: 20 }, (_, at) => `<li><a href=/to/${at}>Part ${at}</a>`).join("");
  await bridge.open(`<nav aria-label=Main><ul>${links}</ul></nav><main>${sections.join("")}
    <form aria-label=Order><label>Name <input></label><label><input type=checkbox> Gift</label><button>Buy</button></form>
    </main><footer><a href=/terms>Terms</a></footer>`);
  const text = await bridge.tree({ room: 9_000 });
  assert.ok(text.length <= 9_000);
  for (let at = 0; at < 12; at++) assert.match(text, new RegExp(`heading "Chapter ${at}" \\[level=2\\]`));
  for (let at = 0; at < 20; at++) assert.match(text, new RegExp(`link "Part ${at}" \\[ref=`));
  for (const control of ['textbox "Name"', 'checkbox "Gift"', 'button "Buy"', 'link "Terms"'])
    assert.ok(text.includes(control), `${control} is not in\n${text}`);
  const [, ref, offset] =
    / more \[expand with browser_snapshot ref=(e\d+) offset=(\d+)\]\n {2}- list/.exec(text) ?? [];
  assert.match(
    await bridge.tree({ ref: String(ref), offset: Number(offset), room: 9_000 }),
    /paragraph: some words/,
  );
});

test("a long text shows its beginning, and its line opens the rest", async () => {
  await bridge.open(`<p>${words(90)}the end</p><p>${words(90)}</p><p>${words(90)}<a href=/>Go</a></p>`);
  const { text, left } = await bridge.call("tree", { room: 3_000 });
  assert.equal(left, 3);
  const [, ref] =
    /^- paragraph \[ref=(e\d+)\]:\n {2}- text: some .*…\n {2}- … [\d,]+ more characters \[expand with browser_snapshot ref=\1\]$/m.exec(
      text,
    ) ?? assert.fail(text);
  for (const room of [24_000, 2_200])
    assert.match(await bridge.tree({ ref: String(ref), room }), /^- paragraph: some .*the end$/);
});

test("a text that is only a little longer than its bound is shown whole", async () => {
  await bridge.open(`<p>${"x".repeat(290)}</p><p>${"y".repeat(600)}</p><ul>${rows(40)}</ul>`);
  assert.match(await bridge.tree({ room: 1_000 }), /paragraph: x{290}$/m);
});

const nested = (level: number, path = ""): string =>
  Array.from({ length: 46 }, (_, at) => {
    const name = path === "" ? `${at}` : `${path}.${at}`;
    return level === 0
      ? `<button>B${name}</button>`
      : `<section aria-label=S${name}>${nested(level - 1, name)}</section>`;
  }).join("");

test("four calls named by folds reach any of 100,000 elements", async () => {
  const room = { first: 11_400, next: 23_400 };
  await bridge.open(
    `<main>${Array.from({ length: 50_000 }, (_, at) => `<h3>H${at}</h3><p>P${at}</p>`).join("")}</main>`,
  );
  const flat = await bridge.tree({ room: room.first });
  const [, ref = ""] =
    / more \[expand with browser_snapshot ref=(e\d+) offset=\d+\]\n?$/.exec(flat) ?? assert.fail(flat);
  assert.match(await bridge.tree({ ref, offset: 77_777, room: room.next }), /paragraph: P38888/);

  await bridge.open(nested(2));
  let text = await bridge.tree({ room: room.first });
  for (const [indent, offset] of [
    ["", 44],
    ["  ", 43],
    ["    ", 42],
  ] as const) {
    if (text.includes('"B44.43.42"')) break;
    const fold = new RegExp(`^${indent}- … .*ref=(e\\d+) offset=\\d+\\]$`, "m");
    const [, ref] = fold.exec(text) ?? assert.fail(text);
    text = await bridge.tree({ ref: String(ref), offset, room: room.next });
  }
  assert.match(text, /button "B44\.43\.42"/);
});
