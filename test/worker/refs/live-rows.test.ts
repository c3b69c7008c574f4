// Tests which row, card or list item a ref belongs to, if several hold an element of that name. The distinct words at
// its delivery decide, not parts that change by themselves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";
import { isUntouched, untoldOn } from "./unreported-change.ts";

const { worker, site } = await stage();

/** Returns the reply of a click on the nth button after this change of the page, or its refusal. */
async function click(
  change: string,
  content: string,
  nth: number,
  type?: "ELEMENT_CHANGED",
): Promise<string> {
  await using stage = await untoldOn({ worker, site }, change, content);
  const { session, page, happen } = stage;
  const ref = refOf(page.split("\n").filter((line) => line.includes('button "Run"'))[nth] ?? "", "Run");
  await happen();
  if (type === undefined) return (await session.do("browser_click", { ref })).text;
  const { text } = await session.refuse(type, "browser_click", { ref });
  await isUntouched(session);
  return text;
}

const RUN = "<button onclick=1>Run</button>";
const cells = (row: string, tag: string) =>
  row
    .split(", ")
    .map((each) => `<${tag} class=w>${each}</${tag}>`)
    .join("");

/** `Ada, open | Bob, done` as rows, list items or cards, each with a button of the same name. */
const pages: [kind: string, ofRow: (row: string) => string, around: (rows: string) => string][] = [
  ["rows", (row) => `<tr>${cells(row, "td")}<td>${RUN}`, (rows) => `<table>${rows}</table>`],
  ["items", (row) => `<li>${cells(row, "p")}${RUN}`, (rows) => `<ul>${rows}</ul>`],
  ["cards", (row) => `<div>${cells(row, "div")}<div>${RUN}</div></div>`, (rows) => `<div>${rows}</div>`],
];

/** A script that writes this into the rows. */
const say = (rows: string) =>
  `const w = document.querySelectorAll('.w'); ${JSON.stringify(rows.split(/, | \| /))}.forEach((text, at) => { w[at].textContent = text })`;

/** Clicks the last button of each page after the change, and in tables also the first. */
async function each(
  cases: readonly (readonly [before: string, after: string])[],
  expected: RegExp,
  type?: "ELEMENT_CHANGED",
): Promise<void> {
  for (const [kind, ofRow, around] of pages)
    for (const [before, after] of cases) {
      const rows = before.split(" | ");
      const page = around(rows.map(ofRow).join(""));
      for (const nth of kind === "rows" ? [0, rows.length - 1] : [rows.length - 1])
        assert.match(await click(say(after), page, nth, type), expected, `${kind} ${nth}: ${after}`);
    }
}

test("changes that happen by themselves do not make a row another one", async () => {
  await each(
    [
      // States, which pass from one to the next.
      ["Job 1, busy | Job 2, idle | Job 3, idle", "Job 1, done | Job 2, busy | Job 3, idle"],
      ["busy, Job 1 | idle, Job 2 | done, Job 3", "done, Job 1 | busy, Job 2 | idle, Job 3"],
      // Times of messages.
      [
        "Ada, just now, hello | Ada, a minute ago, hi | Bob, an hour ago, yo",
        "Ada, a minute ago, hello | Ada, 2 minutes ago, hi | Bob, 2 hours ago, yo",
      ],
      // Prices.
      ["AAPL, 182.31, +1.20 | MSFT, 411.02, -0.31", "AAPL, 182.44, +1.33 | MSFT, 410.87, -0.46"],
      ["182.31, AAPL | 411.02, MSFT", "182.44, AAPL | 410.87, MSFT"],
    ],
    /clicked Run/,
  );
});

test("a row that stands for another item is refused after sorting, moving on or replacing", async () => {
  await each(
    [
      ["Ada, open | Bob, done | Cy, open", "Cy, open | Ada, open | Bob, done"],
      // A new row came first.
      ["1001, Ada | 1002, Bob | 1003, Ada", "1000, Ada | 1001, Ada | 1002, Bob"],
      // The list scrolled on, and some words are the same by chance.
      [
        "1001, Ada, Rome | 1002, Bob, Oslo | 1003, Cy, Bonn",
        "1041, Ada, Oslo | 1042, Di, Bonn | 1043, Ed, Rome",
      ],
      ["Ada, open | Bob, open", "Cy, open | Di, open"],
      // Two words together set the rows apart.
      ["Ada, Mon | Ada, Tue | Bob, Mon | Bob, Tue", "Bob, Mon | Ada, Mon | Bob, Tue | Ada, Tue"],
    ],
    /Was in: ".*"\nIs now: button "Run" in ".*"/,
    "ELEMENT_CHANGED",
  );
});

test("a text that runs together is recognized by its remaining words", async () => {
  const page = (...texts: string[]) => `<ul>${texts.map((text) => `<li>${text} ${RUN}`).join("")}</ul>`;
  const to = (text: string) => `document.querySelector('li').firstChild.data = '${text}'`;
  const before = page("Ada: see you there, just now", "Bob: fine, just now");
  assert.match(await click(to("Ada: see you there, a minute ago"), before, 0), /clicked Run/);
  await click(to("Cy: what was it, a minute ago"), before, 0, "ELEMENT_CHANGED");
});

test("a live table in which every row ticks can be used", async () => {
  await using session = worker.session();
  const rows = Array.from(
    { length: 8 },
    (_, at) => `<tr><td>Job ${at}<td class=s>0<td><button>Run</button>`,
  ).join("");
  const page = await session.open(
    site.page(`<table>${rows}</table><output id=out></output><script>
      let n = 0;
      setInterval(() => { n++; document.querySelectorAll('.s').forEach((s, at) => { s.textContent = ['idle', 'busy', 'late'][(n + at) % 3] }) }, 20);
      addEventListener('click', (event) => { out.textContent = 'ran ' + event.target.closest('tr').cells[0].textContent });
    </script>`),
  );
  const refs = [...page.matchAll(/button "Run" \[ref=(e\d+)\]/g)].map(([, ref = ""]) => ref);
  for (const [at, ref] of refs.entries())
    assert.match((await session.do("browser_click", { ref })).text, new RegExp(`ran Job ${at}`));
});
