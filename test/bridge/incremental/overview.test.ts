// Tests that a first look, which does not read long lists to their ends, says the same as a look at all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageScripts } from "../../../worker/tab/bridge-bundle.ts";
import { bundlePage, openBridge } from "../../harness/page.ts";
import type { FirstReading } from "../page/first-reading.ts";
import { withoutRefs } from "../page/without-refs.ts";
import { HOLD_IDLE } from "./hold-idle.ts";

const SEEDS = Number(process.env.TEST_SEEDS ?? 30);

const bridge = await openBridge();

test(`${SEEDS} random pages with long lists have the same text at first as when all is read`, async () => {
  const script = `globalThis.bridgeScript = ${JSON.stringify((await pageScripts()).bridge)};${await bundlePage("long-lists")}`;
  await bridge.open("<!doctype html><title>Random</title>");
  await bridge.inWorld(script);
  let shortened = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const look = (await bridge.inWorld(`runFirstReading(${seed})`)) as FirstReading;
    assert.equal(look.first, look.all, `seed ${seed}, room ${look.room}`);
    assert.equal(look.changed, look.fresh, `seed ${seed}, ${look.done.join(", ")}`);
    if (look.read < look.elements) shortened++;
  }
  // The test is worth nothing if the first look reads every page whole.
  assert.ok(shortened > SEEDS / 5, `${shortened} of ${SEEDS} pages were not read whole`);
});

const LIST = `<!doctype html><title>List</title><ul>${Array.from({ length: 3_000 }, (_, row) => `<li><a href=/${row}>Row ${row}</a>`).join("")}</ul>`;
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

const LATE = {
  "a new text in it": "document.querySelectorAll('li a')[2900].textContent = 'Sold'",
  "the end of a row": "document.querySelectorAll('li')[2900].remove()",
  "the end of most rows": "for (const row of [...document.querySelectorAll('li')].slice(2000)) row.remove()",
  "a class of the list": "document.querySelector('ul').className = 'short'",
  "a style sheet":
    "document.head.insertAdjacentHTML('beforeend', '<style>li:nth-child(n + 2000) { display: none }</style>')",
  "a rule": "document.styleSheets[0].insertRule('li:nth-child(n + 2000) { display: none }')",
};

for (const [change, script] of Object.entries(LATE))
  for (const acts of [false, true])
    test(`the rest is never "unchanged" after ${change}${acts ? " before an action" : ""}`, async () => {
      const { snapshot } = await firstReading(
        `<style>.short li:nth-child(n + 2000) { display: none }</style>${LIST}`,
      );
      await bridge.run(script);
      if (acts) await bridge.call("beginReaction");
      const now = await bridge.call("tree", { since: snapshot, room: ROOM });
      assert.equal(now.kind, "full");
      // From here on, changes are said alone again.
      await bridge.run("document.querySelector('li a').textContent = 'First'");
      const { kind, text } = await bridge.call("tree", { since: now.snapshot, room: ROOM });
      assert.equal(kind, "delta");
      assert.match(text, /First/);
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

async function isSameAsWhole(content: string): Promise<void> {
  await bridge.open(`<!doctype html>${content}`);
  const first = withoutRefs(await bridge.tree({ room: ROOM }));
  await bridge.open(`<!doctype html>${content}`);
  await bridge.call("tree", {});
  assert.equal(first, withoutRefs(await bridge.tree({ room: ROOM, styleMoved: false })));
}

for (const [what, row, style] of [
  ["until found", "<li hidden=until-found>", ""],
  ["of which the content is skipped", "<li class=c>", ".c { content-visibility: hidden }"],
] as const)
  test(`rows ${what} are not counted as others`, async () => {
    await isSameAsWhole(`<style>${style}</style><ul>${rows(1_500, "<li>")}${rows(500, row)}</ul>`);
  });

test("rows are not counted by a role that only the focus gives the one before them", async () => {
  const focusable = "<li role=none tabindex=0>Some text in a row";
  await isSameAsWhole(`<ul>${rows(1_199, "<li>")}${focusable}${rows(500, "<li role=none>")}</ul>`);
});
