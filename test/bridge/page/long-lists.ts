// Runs in the bridge's world. It makes pages with long lists. The first look at them does not read the lists to their ends.
// It is compared with a look of a bridge that has read all, and so is the look after changes.

import type { FirstReading } from "./first-reading.ts";
import { freshBridge } from "./fresh-bridge.ts";
import { generator, pick, type Random } from "./random.ts";
import { withoutRefs } from "./without-refs.ts";

interface ReadingBridge {
  refOf(element: Element): string;
  tree(options: object): { text: string; elementCount: number; snapshot: number };
}

export function runFirstReading(seed: number): FirstReading {
  const random = generator(seed);
  makePage(random);
  const room = pick([800, 4_000, 12_000, 24_000], random);
  const bridge = comparable();
  const first = bridge.tree({ room });
  const other = comparable();
  other.tree({});
  const all = other.tree({ room, styleMoved: false });
  const texts = { first: withoutRefs(first.text), all: withoutRefs(all.text) };
  const done = Array.from({ length: 1 + Math.floor(random() * 3) }, () => change(random));
  const changed = withoutRefs(bridge.tree({}).text);
  const fresh = withoutRefs(comparable().tree({}).text);
  return { room, ...texts, read: first.elementCount, elements: all.elementCount, done, changed, fresh };
}

function makePage(random: Random): void {
  document.head.innerHTML = `<style>.gone { display: none } .unseen { visibility: hidden } .late:nth-child(7n) { display: none }</style>`;
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(PARTS, random)(random));
  document.body.innerHTML = `<h1>Page</h1>${parts.join("<h2>More</h2>")}<footer>End <a href=/end>of it</a></footer>`;
}

const PARTS: ((random: Random) => string)[] = [
  list,
  list,
  table,
  table,
  (random) => `<div>${list(random)}</div>`,
  nested,
];

function list(random: Random): string {
  const rows = rowsOf(random, (content, mark) => `<li${mark}>${content}</li>`);
  const before = random() < 0.2 ? "<div>Before</div>" : "";
  return `<ul${random() < 0.1 ? " aria-label=Goods" : ""}>${before}${rows}</ul>`;
}

function table(random: Random): string {
  const rows = rowsOf(random, (content, mark) => `<tr${mark}><td>${content}</td><td>${content}</td></tr>`);
  return `<table><thead><tr><th>One</th><th>Two</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function nested(random: Random): string {
  return `<ul>${Array.from({ length: 3 }, () => `<li>${list(random)}</li>`).join("")}</ul>`;
}

/** Most lists have no odd row, some have a few. */
function rowsOf(random: Random, row: (content: string, mark: string) => string): string {
  const count = Math.floor(random() * 1_500);
  const content = pick(CONTENTS, random);
  const odd = random() < 0.7 ? 0 : random() < 0.5 ? 1 / 1_000 : 1 / 50;
  const mark = random() < 0.1 ? " class=late" : "";
  const blank = random() < 0.5 ? "\n" : "";
  return Array.from({ length: count }, (_, at) => {
    if (random() >= odd) return row(content(at), mark) + blank;
    return pick(ODD, random)(at, row);
  }).join("");
}

const CONTENTS: ((at: number) => string)[] = [
  (at) => `Row ${at}`,
  (at) => `<b>Row ${at}</b> and <a href=/${at}>more</a> <button>Buy</button>`,
  (at) => `<div><div><span>Row ${at}</span></div><p>Some text of a row</p><input aria-label=Count></div>`,
  (at) => `<span>${at % 99 === 0 ? "" : "x"}</span>`,
  (at) => `<label><input type=checkbox> Row ${at}</label>`,
  (at) =>
    `<h3>Row ${at}</h3><ul><li>a<li>b</ul><img alt="Picture ${at}"><em>em</em> <a href=/x>x</a><a href=/y>y</a>`,
];

const ODD: ((at: number, row: (content: string, mark: string) => string) => string)[] = [
  (at, row) => row(`Gone ${at}`, " class=gone"),
  (at, row) => row(`Unseen ${at}`, " class=unseen"),
  (at, row) => row(`Hidden ${at}`, " aria-hidden=true"),
  (at, row) => row(`<button>Inert ${at}</button>`, " inert"),
  (_, row) => row("", ""),
  (_, row) => row("<span class=gone>no</span>", ""),
  (at, row) => row(`None ${at}`, " role=none"),
  (at, row) => row(`Option ${at}`, " role=option"),
  (at, row) => row(`Clicked ${at}`, " onclick='1' style='cursor:pointer'"),
  (at, row) => row(`Named ${at}`, ` aria-label="Named ${at}"`),
  (at) => `text ${at}`,
  (at) => `<div>div ${at}</div>`,
  () => "<!-- comment -->",
];

/** Changes something in a random row, and says what. */
function change(random: Random): string {
  const row =
    pick([...document.querySelectorAll("li, tr")], random) ??
    document.body.appendChild(document.createElement("p"));
  const [name, act] = pick(CHANGES, random);
  act(row);
  return `${name} ${row.tagName} ${[...(row.parentNode?.children ?? [])].indexOf(row)}`;
}

const CHANGES: [string, (row: Element) => void][] = [
  ["remove", (row) => row.remove()],
  ["hide", (row) => row.classList.add("gone")],
  ["write in", (row) => row.append("written")],
  ["clone", (row) => row.after(row.cloneNode(true))],
  ["put first", (row) => row.parentNode?.prepend(row)],
  ["put elsewhere", (row) => document.body.append(row)],
  ["empty the list of", (row) => row.parentElement?.replaceChildren()],
  ["remove the list of", (row) => row.parentElement?.remove()],
  ["name the list of", (row) => row.parentElement?.setAttribute("aria-label", "Named")],
  ["own", (row) => row.setAttribute("id", "owned") ?? document.body.setAttribute("aria-owns", "owned")],
  [
    "rule for",
    () =>
      document.head.append(
        Object.assign(document.createElement("style"), { textContent: "li:nth-child(3n) { display: none }" }),
      ),
  ],
];

/** Both bridges of a comparison give refs of the same length, because the length of a text decides what fits. */
const REFS_BEFORE = 10_000;

function comparable(): ReadingBridge {
  const bridge = freshBridge<ReadingBridge>();
  for (let ref = 0; ref < REFS_BEFORE; ref++) bridge.refOf(document.createElement("i"));
  return bridge;
}

Object.assign(globalThis, { runFirstReading });
