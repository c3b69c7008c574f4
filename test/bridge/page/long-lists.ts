// Runs in the bridge's world. It makes pages with long lists. The first look at them does not read the lists to their ends.
// It is compared with a look of a bridge that has read all, and so is the look after changes.

import type { Answer, FirstReading } from "./first-reading.ts";
import { freshBridge } from "./fresh-bridge.ts";
import { generator, pick, type Random } from "./random.ts";
import { withoutRefs } from "./without-refs.ts";

interface ReadingBridge {
  refOf(element: Element): string;
  tree(options: object): Answer & { elementCount: number; snapshot: number };
  beginReaction(): void;
}

type Idle = (deadline: { timeRemaining(): number }) => void;

export function runFirstReading(seed: number): FirstReading {
  const random = generator(seed);
  makePage(random);
  const room = pick([800, 4_000, 12_000, 24_000], random);
  const idles: Idle[] = [];
  const own = globalThis.requestIdleCallback;
  globalThis.requestIdleCallback = ((run: Idle) => idles.push(run)) as typeof requestIdleCallback;
  try {
    const bridge = comparable();
    const first = bridge.tree({ room });
    const other = comparable();
    const before = other.tree({});
    const all = other.tree({ room, styleMoved: false });
    const texts = { first: withoutRefs(first.text), all: withoutRefs(all.text) };
    const done = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      if (random() > 0.3) return change(random);
      if (random() < 0.5) {
        bridge.beginReaction();
        return "action";
      }
      let questions = Math.floor(random() * 50);
      for (const run of idles.splice(0)) run({ timeRemaining: () => (questions-- > 0 ? 50 : 0) });
      return "idle";
    });
    const now = bridge.tree({ since: first.snapshot });
    const answerOfAll = answerIn(other.tree({ since: before.snapshot }));
    const fresh = withoutRefs(comparable().tree({}).text);
    const counts = { read: first.elementCount, elements: all.elementCount };
    const again = bridge.tree({ since: now.snapshot }).kind;
    return { room, ...texts, ...counts, done, answer: answerIn(now), answerOfAll, fresh, again };
  } finally {
    globalThis.requestIdleCallback = own;
  }
}

function answerIn({ kind, text }: Answer): Answer {
  return { kind, text: withoutRefs(text).replace(/\be[1-9]\d{4,}\b/g, "ref") };
}

function makePage(random: Random): void {
  const styles = [STYLES, random() < 0.2 ? UNKNOWN : "", random() < 0.1 ? MOVING : ""];
  document.head.innerHTML = styles.map((style) => `<style>${style}</style>`).join("");
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(PARTS, random)(random));
  document.body.innerHTML = `<h1>Page</h1><i class=f></i>${parts.join("<h2>More</h2>")}<footer>End <a href=/end>of it</a></footer>`;
  for (const host of document.querySelectorAll("s-host"))
    host.attachShadow({ mode: "open" }).innerHTML = "<p>In the shadow</p>";
}

const STYLES = `.gone { display: none } .unseen { visibility: hidden } .late:nth-child(7n) { display: none }
  .on ~ ul li:nth-child(n+900), .on ~ table tr:nth-child(n+900) { display: none }`;
/** These are more rules than the bridge follows. */
const UNKNOWN = Array.from({ length: 60 }, (_, at) => `.a${at} ~ .b${at} { display: none }`).join(" ");
const MOVING =
  "@keyframes same { from, to { visibility: visible } } h1 { animation: same 1s infinite linear }";

const PARTS: ((random: Random) => string)[] = [
  list,
  list,
  table,
  table,
  (random) => `<div>${list(random)}</div>`,
  nested,
  wrapped,
  wrapped,
];

/** Wrappers of which no box is a block may hold a text that goes on after them. */
function wrapped(random: Random): string {
  const row = (content: string, mark: string) => `<div role=listitem${mark}>${content}</div>`;
  const tail = pick(["", "the tail", " ", "<b>the tail</b>"], random);
  return `<div role=list><x-part>${rowsOf(random, row)}${tail}</x-part>${rowsOf(random, row)}</div>`;
}

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
  (at) => `Row ${at}${at % 301 === 300 ? "<s-host></s-host>" : ""}`,
  (at) => `<b id=b${at}>Row ${at}</b><input aria-labelledby=b${at % 100 === 0 ? 1 : at}>`,
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
    pick([...document.querySelectorAll("li, tr, [role=listitem]")], random) ??
    document.body.appendChild(document.createElement("p"));
  const [name, act] = pick(CHANGES, random);
  const words = `${name} ${row.tagName} ${[...(row.parentNode?.children ?? [])].indexOf(row)}`;
  act(row);
  return words;
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
  ["remove the list for a while of", (row) => row.parentElement && takeOut(row.parentElement)],
  ["remove the part for a while of", (row) => row.parentElement && takeOut(outermost(row))],
  ["check in", (row) => check(row)],
  ["check in", (row) => check(row)],
  ["hide before", () => document.querySelector(".f")?.classList.toggle("on")],
  ["hide before", () => document.querySelector(".f")?.classList.toggle("on")],
  [
    "write in a shadow beside",
    () => pick([...document.querySelectorAll("s-host")], () => 0.99)?.shadowRoot?.append("written"),
  ],
  ["attach a shadow in", (row) => attach(row)],
  ["edit a rule for", () => edit("li:nth-child(n + 1000)")],
  ["edit back a rule for", () => edit(".gone")],
  ["insert a rule for", () => sheet()?.insertRule("li:nth-child(n + 1100) { display: none }")],
  [
    "rule for",
    () =>
      document.head.append(
        Object.assign(document.createElement("style"), { textContent: "li:nth-child(3n) { display: none }" }),
      ),
  ],
];

function takeOut(part: Element): void {
  const { parentNode, nextSibling } = part;
  part.remove();
  if (parentNode !== null) parentNode.insertBefore(part, nextSibling);
}

function outermost(row: Element): Element {
  let part = row;
  while (part.parentElement !== null && part.parentElement !== document.body) part = part.parentElement;
  return part;
}

/** A property that a script sets makes no mutation. */
function check(row: Element): void {
  const input = row.querySelector("input");
  if (input === null) return;
  if (input.type === "checkbox") input.checked = !input.checked;
  else input.value += "typed";
}

function attach(row: Element): void {
  const host = row.appendChild(document.createElement("s-late"));
  host.attachShadow({ mode: "open" }).innerHTML = "attached";
}

const sheet = () => document.styleSheets[0];

function edit(selector: string): void {
  const rule = sheet()?.cssRules[0];
  if (rule instanceof CSSStyleRule) rule.selectorText = selector;
}

/** Both bridges of a comparison give refs of the same length, because the length of a text decides what fits. */
const REFS_BEFORE = 10_000;

function comparable(): ReadingBridge {
  const bridge = freshBridge<ReadingBridge>();
  for (let ref = 0; ref < REFS_BEFORE; ref++) bridge.refOf(document.createElement("i"));
  return bridge;
}

Object.assign(globalThis, { runFirstReading });
