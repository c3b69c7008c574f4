// Tests that a first look, which does not read long lists to their ends, says the same as a look at all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageScripts } from "../../../worker/tab/bridge-bundle.ts";
import { bundlePage, openBridge } from "../../harness/page.ts";
import type { FirstReading } from "../page/first-reading.ts";
import { withoutRefs } from "../page/without-refs.ts";
import { HOLD_IDLE } from "./hold-idle.ts";

const SEEDS = Number(process.env.TEST_SEEDS ?? 12);

const bridge = await openBridge();

test(`${SEEDS} random pages with long lists have the same text at first as when all is read`, async () => {
  const script = `globalThis.bridgeScript = ${JSON.stringify((await pageScripts()).bridge)};${await bundlePage("long-lists")}`;
  await bridge.open("<!doctype html><title>Random</title>");
  await bridge.inWorld(script);
  let shortened = 0;
  let deltas = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const look = (await bridge.inWorld(`runFirstReading(${seed})`)) as FirstReading;
    assert.equal(look.first, look.all, `seed ${seed}, room ${look.room}`);
    const done = `seed ${seed}, room ${look.room}, ${look.done.join(", ")}`;
    assert.equal(look.again, "unchanged", done);
    if (look.read === look.elements) assert.deepEqual(look.answer, look.answerOfAll, done);
    else if (look.answer.kind === "full") assert.equal(look.answer.text, look.fresh, done);
    else assert.deepEqual(look.answer, look.answerOfAll, done);
    if (look.read < look.elements) shortened++;
    if (look.read < look.elements && look.answer.kind === "delta") deltas++;
  }
  // The test is worth nothing if the first look reads every page whole.
  assert.ok(shortened > SEEDS / 5, `${shortened} of ${SEEDS} pages were not read whole`);
  assert.ok(deltas > 0 || SEEDS < 10, "no change was said alone");
});

const listOf = (rows: number) =>
  `<!doctype html><title>List</title><ul>${Array.from({ length: rows }, (_, row) => `<li><a href=/${row}>Row ${row}</a>`).join("")}</ul>`;
const LIST = listOf(3_000);
const ROOM = 8_000;

const IDLE = "{ const run = nextIdle; nextIdle = undefined; run({ timeRemaining: () => 50 }); }";

async function firstReading(content = LIST): Promise<{ text: string; snapshot: number }> {
  await bridge.open(content);
  await bridge.inWorld(HOLD_IDLE);
  const look = await bridge.call("tree", { room: ROOM });
  assert.ok(look.elementCount < 3_000, `${look.elementCount} elements`);
  return look;
}

test("the first look says how many more there are, and its fold opens the rest", async () => {
  const { text } = await firstReading();
  const [, more = "", ref = "", offset = ""] =
    /… ([\d,]+) more listitem like these \[expand with browser_snapshot ref=(\w+) offset=(\d+)\]/.exec(
      text,
    ) ?? [];
  assert.equal(Number(more.replace(",", "")) + Number(offset), 3_000);
  const rest = await bridge.call("tree", { ref, offset: 2_990 });
  assert.match(rest.text, /"Row 2990"(?:.|\n)*"Row 2999"/);
});

for (const isIdle of [false, true]) {
  const when = isIdle ? "after idle time has read the rest" : "before the rest was read";
  test(`a look ${when} finds nothing changed`, async () => {
    const { snapshot } = await firstReading();
    if (isIdle) await bridge.inWorld(IDLE);
    assert.equal((await bridge.call("probe", snapshot)).isUnchanged, false);
    const again = await bridge.call("tree", { since: snapshot, styleMoved: false });
    assert.deepEqual([again.kind, again.text, again.elementCount], ["unchanged", "", 6_001]);
    assert.equal((await bridge.call("probe", again.snapshot)).isUnchanged, true);
  });

  test(`a change ${when} is said alone`, async () => {
    const { snapshot } = await firstReading();
    if (isIdle) await bridge.inWorld(IDLE);
    await bridge.run(
      "document.querySelectorAll('li')[7].remove(); document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>New')",
    );
    const { kind, text } = await bridge.call("tree", { since: snapshot, styleMoved: false });
    assert.equal(kind, "delta");
    assert.equal(
      text,
      '+ in list after e3001:\n  - listitem: New\nremoved from list: listitem (e8 link "Row 7")',
    );
  });

  test(`an action ${when} is answered with what it changes in the rest`, async () => {
    const { snapshot } = await firstReading();
    if (isIdle) await bridge.inWorld(IDLE);
    await bridge.call("beginReaction");
    await bridge.run("document.querySelectorAll('li')[2900].append('changed')");
    const { text } = await bridge.call("tree", { since: snapshot, styleMoved: false });
    assert.match(text, /Row 2900(?:.|\n)*changed/);
  });
}

interface Late {
  script: string;
  /** The page has this in row 950, and before the list. */
  row?: string;
  before?: string;
  /** Runs before the first look. */
  prepare?: string;
  /** The change shows or hides rows by styles alone. */
  isOfStyles?: true;
  /** No mutation record reports the change. */
  isSilent?: true;
}

const LATE: Record<string, Late> = {
  "a new text in them": { script: "document.querySelectorAll('li a')[900].textContent = 'Sold'" },
  "the end of a row": { script: "document.querySelectorAll('li')[900].remove()" },
  "the end of most rows": {
    script: "for (const row of [...document.querySelectorAll('li')].slice(800)) row.remove()",
  },
  "a class of the list": { script: "document.querySelector('ul').className = 'short'", isOfStyles: true },
  "a class before the list": { script: "document.querySelector('.f').className = 'f on'", isOfStyles: true },
  "a style sheet": {
    script:
      "document.head.insertAdjacentHTML('beforeend', '<style>li:nth-child(n + 800) { display: none }</style>')",
  },
  "a rule": {
    script: "document.styleSheets[0].insertRule('li:nth-child(n + 800) { display: none }')",
    isOfStyles: true,
  },
  "an edited rule": {
    script: "document.styleSheets[0].cssRules[0].selectorText = 'li:nth-child(n + 800)'",
    isOfStyles: true,
  },
  "a check without a mutation": {
    script: "document.querySelector('ul input').checked = true",
    row: "<input type=checkbox>",
    isSilent: true,
  },
  "a shadow root": {
    script: "document.querySelector('ul p').attachShadow({ mode: 'open' }).innerHTML = 'attached'",
    row: "<p></p>",
    isSilent: true,
  },
  "a text in a shadow root": {
    script: "document.querySelector('x-host').shadowRoot.append('written')",
    row: "<x-host></x-host>",
    prepare: "document.querySelector('x-host').attachShadow({ mode: 'open' }).innerHTML = 'In the shadow'",
  },
  "a check in a shadow root": {
    script: "document.querySelector('x-host').shadowRoot.querySelector('input').checked = true",
    row: "<x-host></x-host>",
    prepare:
      "document.querySelector('x-host').attachShadow({ mode: 'open' }).innerHTML = '<input type=checkbox>'",
  },
  "a class of the host around the list": {
    script: "document.querySelector('y-host').className = 'gone'",
    prepare: `{
      const host = document.createElement('y-host');
      const list = document.querySelector('ul');
      list.replaceWith(host);
      host.attachShadow({ mode: 'open' }).innerHTML = '<style>:host(.gone) li:nth-child(n + 800) { display: none }</style>';
      host.shadowRoot.append(list);
    }`,
  },
  "the text of a label elsewhere": {
    script: "document.querySelector('label').textContent = 'How many'",
    row: "<input id=count>",
    before: "<label for=count>Count</label>",
  },
  "a label elsewhere that comes": {
    script: "document.body.insertAdjacentHTML('afterbegin', '<label for=count>How many</label>')",
    row: "<input id=count>",
  },
  "the text of a name elsewhere": {
    script: "document.querySelector('#namer').textContent = 'Ring'",
    row: "<button aria-labelledby=namer></button>",
    before: "<b id=namer>Bell</b>",
  },
  "a name elsewhere that comes": {
    script: "document.body.insertAdjacentHTML('afterbegin', '<b id=namer>Ring</b>')",
    row: "<button aria-labelledby=namer></button>",
  },
  "a label that another element with its id takes": {
    script: "document.querySelector('.f').id = 'count'",
    row: "<input id=count>",
    before: "<label for=count>Count</label>",
  },
  "a label that a new element with its id takes": {
    script: "document.body.insertAdjacentHTML('afterbegin', '<b id=count>x</b>')",
    row: "<input id=count>",
    before: "<label for=count>Count</label>",
  },
  "a custom element that is defined": {
    script: "customElements.define('x-late', class extends HTMLElement {})",
    row: "<x-late>late</x-late>",
    before: "<style>x-late:not(:defined) { display: none }</style>",
    isSilent: true,
  },
  "a slot that a script fills": {
    script: "host.shadowRoot.querySelector('slot').assign(host.querySelector('u'))",
    row: "<x-host id=host><b>one</b><u>two</u></x-host>",
    prepare: `{
      const root = host.attachShadow({ mode: 'open', slotAssignment: 'manual' });
      root.innerHTML = '<slot></slot>';
      root.querySelector('slot').assign(host.querySelector('b'));
    }`,
    isSilent: true,
  },
  "a popover without a mutation": {
    script: "document.querySelector('[popover]').showPopover()",
    row: "<div popover>Shown</div>",
  },
};

const SHORT = ".short li:nth-child(n + 800), .f.on ~ ul li:nth-child(n + 800) { display: none }";
/** These are more rules than the bridge follows. */
const UNKNOWN = Array.from({ length: 60 }, (_, at) => `.a${at} ~ .b${at} { display: none }`).join(" ");

const MEANWHILE = {
  "": async () => {},
  " before an action": async () => await bridge.call("beginReaction"),
  " before idle time": async () => {
    if ((await bridge.inWorld("typeof nextIdle")) === "function") await bridge.inWorld(IDLE);
  },
};

async function lateLook({ row = "", before = "", prepare = "" }: Late, styles: string): Promise<number> {
  const content = listOf(1_000)
    .replace("<a href=/950>", `${row}<a href=/950>`)
    .replace("<ul>", `<style>${SHORT}${styles}</style><i class=f>f</i>${before}<ul>`);
  await bridge.open(content);
  await bridge.inWorld(HOLD_IDLE);
  await bridge.run(prepare);
  return (await bridge.call("tree", { room: ROOM })).snapshot;
}

for (const [change, late] of Object.entries(LATE))
  for (const [then, pass] of Object.entries(MEANWHILE))
    for (const [styles, rules] of Object.entries({ "": "", ", with unknown styles": UNKNOWN })) {
      const { isOfStyles = false, isSilent = false } = late;
      if ((rules !== "" && !isOfStyles) || (then.includes("idle") && !isSilent && !isOfStyles)) continue;
      test(`unread rows are never "unchanged" after ${change}${then}${styles}`, async () => {
        const snapshot = await lateLook(late, rules);
        await bridge.run(late.script);
        await pass();
        const now = await bridge.call("tree", { since: snapshot, room: ROOM });
        // Rows from 799 on are hidden, or the popover or the slot shows this.
        assert.ok(now.kind === "full" || /Row 799|Shown|two/.test(now.text), `${now.kind}: ${now.text}`);
        // From here on, changes are said alone again.
        await bridge.run("document.querySelector('.f').textContent = 'after'");
        const { kind, text } = await bridge.call("tree", { since: now.snapshot, room: ROOM });
        assert.equal(kind, "delta");
        assert.match(text, /after/);
      });
    }

const LISTENING = "globalThis.__troupe.hearClicks([1], [document.querySelectorAll('li')[980]], [])";

for (const [then, pass] of Object.entries(MEANWHILE))
  test(`unread rows are never "unchanged" after a listener is reported${then}`, async () => {
    const snapshot = await lateLook({ script: "" }, "");
    await bridge.inWorld(LISTENING);
    await pass();
    const now = await bridge.call("tree", { since: snapshot, room: ROOM });
    assert.equal(now.kind, "full");
  });

test("a list that was away for a while is not compared with the rows that were read then", async () => {
  await bridge.open(listOf(630));
  await bridge.inWorld(HOLD_IDLE);
  const { snapshot, elementCount } = await bridge.call("tree", { room: ROOM });
  assert.ok(elementCount < 1_261, `${elementCount} elements`);
  await bridge.run("globalThis.list = document.querySelector('ul'); list.remove()");
  await bridge.call("beginReaction");
  await bridge.run("document.body.append(list)");
  const now = await bridge.call("tree", { since: snapshot, room: ROOM });
  assert.deepEqual([now.kind, now.elementCount], ["full", 1_261]);
});

const MOVE =
  "document.querySelector('h1').animate([{ visibility: 'visible' }, { visibility: 'visible' }], { duration: 1e6 })";

test("a page that moves is never sent again while nothing changes", async () => {
  await bridge.open(LIST.replace("<ul>", "<h1>Moves</h1><ul>"));
  await bridge.inWorld(HOLD_IDLE);
  await bridge.run(MOVE);
  const { snapshot } = await bridge.call("tree", { room: ROOM });
  await bridge.call("beginReaction");
  await bridge.run("document.querySelector('h1').append('.')");
  const now = await bridge.call("tree", { since: snapshot, room: ROOM });
  const later = await bridge.call("tree", { since: now.snapshot, room: ROOM });
  assert.deepEqual([now.kind, later.kind], ["delta", "unchanged"]);
});

test("unread rows that were read too late make a look whole only once", async () => {
  await bridge.open(LIST.replace("<ul>", "<h1>Moves</h1><ul>"));
  await bridge.inWorld(HOLD_IDLE);
  let { snapshot } = await bridge.call("tree", { room: ROOM });
  await bridge.run(MOVE);
  const kinds: string[] = [];
  for (let look = 0; look < 3; look++) {
    await bridge.call("beginReaction");
    const now = await bridge.call("tree", { since: snapshot, room: ROOM, styleMoved: false });
    kinds.push(now.kind);
    snapshot = now.snapshot;
  }
  assert.deepEqual(kinds, ["full", "unchanged", "unchanged"]);
});

test("a list with a row that says nothing is read to its end", async () => {
  await bridge.open(LIST.replace("<a href=/2500>Row 2500</a>", ""));
  const { text, elementCount } = await bridge.call("tree", { room: ROOM });
  assert.equal(elementCount, 5_999);
  const [, more = "", offset = ""] = /… ([\d,]+) more listitem .* offset=(\d+)\]/.exec(text) ?? [];
  assert.equal(Number(more.replace(",", "")) + Number(offset), 2_999);
});

/** Has 3,000 rows. Row 2990 holds what the test asks for. */
const withRow = (row: string, style = "") =>
  LIST.replace("<ul>", `<style>${style}</style><h1>Top</h1><p id=p>Text</p><ul>`).replace(
    "<a href=/2990>Row 2990</a>",
    `<a href=/2990>Row 2990</a>${row}`,
  );
const SHADOW =
  "<div><template shadowrootmode=open><input class=s autocomplete=cc-csc value=123></template></div>";

test("fields and parts in a shadow root of the rest are masked", async () => {
  await firstReading(withRow(SHADOW));
  assert.equal(await bridge.call("mask", [".s"]), "");
  const [field] = (await bridge.call("secretFields")) ?? [];
  assert.equal(field?.value, "123");
  await bridge.call("unmask");
});

test("a rule that comes before an action is not lost with a shadow root of the rest", async () => {
  await firstReading(withRow(SHADOW));
  await bridge.run("document.styleSheets[0].insertRule('h1 { display: none }')");
  await bridge.call("beginReaction");
  await bridge.run("p.append('changed')");
  assert.doesNotMatch(await bridge.tree({ styleMoved: true }), /heading/);
});

test("the focus in the rest is not kept after it has gone", async () => {
  await firstReading();
  await bridge.run("document.querySelectorAll('a')[2900].focus()");
  await bridge.inWorld(IDLE);
  await bridge.call("beginReaction");
  await bridge.run("document.activeElement.blur()");
  assert.doesNotMatch(await bridge.tree({ styleMoved: false }), /active/);
});

for (const [part, count] of [
  ["<ul>" + "<li>Item of the list</li>".repeat(1_500) + "</ul>", "1,501"],
  ["<table>" + "<tr><td>A cell</td></tr>".repeat(1_500) + "</table>", "3,00"],
] as const)
  test(`a fold of a whole list counts what is not read yet: ${part.slice(0, 4)}`, async () => {
    await bridge.open(`<!doctype html>${`<h2>Part</h2>${part}`.repeat(40)}`);
    const { text } = await bridge.call("tree", { room: 4_000 });
    assert.doesNotMatch(text, /… 1,2\d\d more/);
    assert.ok(text.includes(`… ${count}`), text.slice(0, 1_500));
  });

const rows = (count: number, start: string) => `${start}Some text in a row`.repeat(count);

async function isSameAsWhole(content: string, room = ROOM): Promise<void> {
  await bridge.open(`<!doctype html>${content}`);
  const first = withoutRefs(await bridge.tree({ room }));
  await bridge.open(`<!doctype html>${content}`);
  await bridge.call("tree", {});
  assert.equal(first, withoutRefs(await bridge.tree({ room, styleMoved: false })));
}

for (const [what, row, style] of [
  ["until found", "<li hidden=until-found>", ""],
  ["of which the content is skipped", "<li class=c>", ".c { content-visibility: hidden }"],
] as const)
  test(`rows ${what} are not counted as others`, async () => {
    await isSameAsWhole(`<style>${style}</style><ul>${rows(1_500, "<li>")}${rows(500, row)}</ul>`);
  });

test("rows after a text that goes on are not counted as texts", async () => {
  const items = (count: number) =>
    "<div role=listitem>Some text in a row<a href=/x>x</a></div>".repeat(count);
  const content = `<div role=list><x-part>${items(1_200)}the tail</x-part>${items(500)}</div>`;
  for (const room of [800, 2_000, ROOM]) await isSameAsWhole(content, room);
});

test("rows are not counted by a role that only the focus gives the one before them", async () => {
  const focusable = "<li role=none tabindex=0>Some text in a row";
  await isSameAsWhole(`<ul>${rows(1_199, "<li>")}${focusable}${rows(500, "<li role=none>")}</ul>`);
});
