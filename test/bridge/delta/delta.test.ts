// Tests the text of a delta: its reader must not believe anything untrue.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

/** Chrome's headless shell (147) makes no layout of 2,000 levels: it hangs by itself. */
const LEVELS = 1_500;

const bridge = await openBridge();

/** Returns the delta after a script on a page. */
async function deltaOf(page: string, script: string): Promise<string[]> {
  await bridge.open(page);
  const { snapshot } = await bridge.call("tree", {});
  await bridge.run(script);
  const { kind, text } = await bridge.call("tree", { since: snapshot });
  assert.equal(kind, "delta");
  return text.split("\n");
}

const FILL = `<footer>${"<p>line</p>".repeat(40)}</footer>`;

test("a delta reports a moved element without a ref as removed from its old position", async () => {
  const delta = await deltaOf(
    `<main><h2>A</h2><p id=p>Moves</p><p>Stays</p><button>B</button></main>${FILL}`,
    "document.querySelector('main').append(p)",
  );
  assert.deepEqual(delta, [
    "+ in main after e1:",
    "  - paragraph: Moves",
    'removed from main: paragraph "Moves"',
  ]);
});

test("a delta reports a moved element with a ref only by its line at the new position", async () => {
  const delta = await deltaOf(
    `<main><section aria-label=S tabindex=0 id=s><ul><li>One</li><li><a href=/x>X</a></li></ul></section><p>Stays</p><button>B</button></main>${FILL}`,
    "document.querySelector('main').append(s)",
  );
  assert.equal(delta[0], "+ in main after e3:");
  assert.deepEqual(
    delta.filter((line) => line.startsWith("removed")),
    [],
  );
});

test("a lost ref is reported with the old ref, and a new ref by its position", async () => {
  const page = `<style>.p { cursor: pointer }</style><main><p id=a class=p>Same</p><p id=b>Same</p></main>${FILL}`;
  const delta = await deltaOf(page, "a.className = ''; b.className = 'p'");
  assert.deepEqual(delta, [
    "~ in main, was e1:",
    "  - paragraph: Same",
    "~ in main:",
    "  - paragraph [ref=e2]: Same",
  ]);
});

test("a new line is placed beside another one, by a ref there or else by its words", async () => {
  const page = `<main><ul><li>One <button>Buy</button></li><li id=two>Two</li></ul><div id=box><p>Text</p></div><button>Last</button></main>${FILL}`;
  for (const [script, head] of [
    ["box.insertAdjacentHTML('beforeend', '<p>Came</p>')", "+ in main before e2:"],
    ["box.insertAdjacentHTML('beforebegin', '<p>Came</p>')", "+ in main after e1:"],
    ["two.insertAdjacentHTML('beforebegin', '<li>Came</li>')", "+ in list after e1:"],
    ["two.insertAdjacentHTML('afterend', '<li>Came</li>')", '+ in list after listitem "Two":'],
    [
      "document.querySelector('main').insertAdjacentHTML('afterbegin', '<p>Came</p>')",
      "+ in main before e1:",
    ],
    ["document.querySelector('main').insertAdjacentHTML('beforeend', '<p>Came</p>')", "+ in main after e2:"],
  ] as const) {
    assert.equal((await deltaOf(page, script))[0], head);
  }
});

test("a removed element that says nothing is known by its former content", async () => {
  const page = `<main><table><tr><td>Ada<td>1<tr id=r><td>Bob<td>2</table></main>${FILL}`;
  assert.deepEqual(await deltaOf(page, "r.remove()"), [
    'removed from rowgroup of table: row (cell "Bob", cell "2")',
  ]);
});

const ORDERS = ["Ada", "Bob", "Cy"].map(
  (name, at) => `<tr><td>Order ${at}<td>${name}<td class=s>open<td><button>Approve</button>`,
);
const TABLE = `<table aria-label=Orders><thead><tr><th>Order<th>Name<th>State<th><tbody>${ORDERS.join("")}</table>${FILL}`;

test("a changed cell has its row's distinct words and its former text", async () => {
  assert.deepEqual(await deltaOf(TABLE, "document.querySelectorAll('.s')[2].textContent = 'shipped'"), [
    '~ in row "Order 2" of table "Orders", was cell "open":',
    "  - cell: shipped",
  ]);
});

test("a row is named by words inside it, or counted if it has no words of its own", async () => {
  const rows = (...names: string[]) =>
    `<table>${names.map((name) => `<tr><td>Row<td>${name}<td class=s>open`).join("")}</table>${FILL}`;
  const change = "document.querySelectorAll('.s')[1].textContent = 'shipped'";
  assert.deepEqual(await deltaOf(rows("Ada", "Bob", "Cy"), change), [
    '~ in row "Bob" of table, was cell "open":',
    "  - cell: shipped",
  ]);
  assert.deepEqual(await deltaOf(rows("Ada", "Ada", "Ada"), change), [
    '~ in 2nd row "Row" of table, was cell "open":',
    "  - cell: shipped",
  ]);
});

test("a line of a card without its own line is named with the card's words", async () => {
  const card = (name: string, tag: string) =>
    `<div><${tag}>${name}</${tag}><p class=p>$5</p><div><button>Buy</button></div></div>`;
  const change = "document.querySelectorAll('.p')[1].textContent = '€4'";
  for (const [tag, anchor] of [
    ["h3", 'heading "Bob"'],
    ["div", 'text "Bob"'],
  ] as const) {
    const page = `<main>${["Ada", "Bob", "Cy"].map((name) => card(name, tag)).join("")}</main>${FILL}`;
    assert.deepEqual(await deltaOf(page, change), [
      `~ in main, was paragraph "$5" after ${anchor}:`,
      "  - paragraph: €4",
    ]);
  }
  const nameless = `<main>${["", "", ""].map((name) => card(name, "i")).join("")}</main>${FILL}`;
  assert.deepEqual(await deltaOf(nameless, change), [
    '~ in main, was paragraph "$5" before button "Buy" [ref=e2]:',
    "  - paragraph: €4",
  ]);
});

const LIST = `<ul aria-label=Goods>${Array.from({ length: 40 }, (_, at) => `<li>Item ${at} <button>Buy</button></li>`).join("")}</ul>${FILL}`;

test("a delta prints the remaining items if they are fewer than the removed ones", async () => {
  const few = await deltaOf(
    LIST,
    "[...document.querySelectorAll('li')].slice(8).forEach((li) => li.remove())",
  );
  assert.deepEqual(few.slice(0, 4), [
    "~ in the page:",
    '  - list "Goods":',
    "    - listitem:",
    "      - text: Item 0",
  ]);
  assert.equal(few.length, 2 + 8 * 3);
  const many = await deltaOf(
    LIST,
    "[...document.querySelectorAll('li')].slice(20).forEach((li) => li.remove())",
  );
  assert.equal(many.length, 1);
  assert.match(many[0] ?? "", /^removed from list "Goods": listitem "Item 20" \(e21 button "Buy"\), /);
  for (let at = 20; at < 40; at++) assert.ok(many[0]?.includes(`"Item ${at}" (e${at + 1} `));
});

test("the remaining items are folded if there is little room", async () => {
  await bridge.open(LIST.replaceAll("Item", "A rather long name of an item"));
  const { snapshot } = await bridge.call("tree", {});
  await bridge.run("[...document.querySelectorAll('li')].slice(19).forEach((li) => li.remove())");
  const { kind, text } = await bridge.call("tree", { since: snapshot, room: 1_600 });
  assert.equal(kind, "delta");
  assert.ok(text.length <= 1_600, text);
  assert.match(text, /^~ in the page:\n {2}- list "Goods" \[ref=e41\]:\n/);
  assert.match(
    text,
    /^ {4}- … \d+ more listitem like these \[expand with browser_snapshot ref=e41 offset=\d+\]$/m,
  );
});

test("a part of the page with changes everywhere is printed anew", async () => {
  const page = TABLE.replaceAll(/<button>Approve<\/button>/g, "<i>1</i>");
  const change =
    "document.querySelectorAll('tbody td:not(:first-child)').forEach((td) => (td.textContent += '!'))";
  assert.deepEqual((await deltaOf(page, change)).slice(0, 6), [
    '~ in table "Orders", was rowgroup "Order 0":',
    "  - rowgroup:",
    "    - row:",
    "      - cell: Order 0",
    "      - cell: Ada!",
    "      - cell: open!",
  ]);
});

test("the page's words cannot pass for a position", async () => {
  const row = (name: string) => `<tr><td>${name}<td class=s>open`;
  const table = `<table>${[row('a" of the page, was e1:'), row('b"'), row("c [ref=e9]")].join("")}</table>${FILL}`;
  assert.deepEqual(await deltaOf(table, "document.querySelector('.s').textContent = '~ in e1:'"), [
    '~ in row "a\\" of the page, was e1:" of table, was cell "open":',
    '  - cell: "~ in e1:"',
  ]);
});

test("a delta has changes and removals more than a thousand levels deep", async () => {
  await bridge.open(`<div id=deep></div>${FILL}`);
  await bridge.run(`{
    let inner = document.getElementById("deep");
    for (let i = 0; i < ${LEVELS}; i++) inner = inner.appendChild(Object.assign(document.createElement("section"), { ariaLabel: "L" + i }));
    inner.innerHTML = "<button>Deep</button>";
  }`);
  const { snapshot } = await bridge.call("tree", {});
  await bridge.run("document.querySelector('button').textContent = 'Dug'");
  const changed = await bridge.call("tree", { since: snapshot });
  assert.equal(changed.text, '~ - button "Dug" [ref=e1]');
  await bridge.run("deep.remove()");
  const gone = await bridge.call("tree", { since: changed.snapshot });
  assert.match(gone.text, /^removed from the page: region "L0" \(region "L1"/);
});
