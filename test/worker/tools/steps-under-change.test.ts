// Changes a page at random between the steps of one call. No action may meet an element that was not meant.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { generator, pick, type Random } from "../../bridge/page/random.ts";
import { refOf, stage, type WorkerSession } from "../../harness/worker.ts";

/** `TEST_SEEDS=1000 node --test FILE` looks for rarer faults. */
const SEEDS = Number(process.env.TEST_SEEDS ?? 20);
const FIRST = Number(process.env.TROUPE_SEED ?? 1);
const NAMES = ["Ada", "Bob", "Cy", "Dee", "Eve", "Fay"];
const STEPS = 5;

const { worker, site } = await stage();

/** Changes of the page, each by one row at random. Each row reports what was done to it. */
const CHANGES = `({
  swap: (row, other) => { const text = row.dataset.name; name(row, other.dataset.name); name(other, text); },
  rename: (row, other, n) => name(row, "New" + n),
  move: (row) => list.append(row),
  first: (row) => list.prepend(row),
  remove: (row) => row.remove(),
  replace: (row) => row.replaceWith(make(row.dataset.name)),
  other: (row, other, n) => row.replaceWith(make("Else" + n)),
  insert: (row, other, n) => row.before(make("More" + n)),
  rerender: (row) => list.replaceChildren(...[...list.children].map(({ dataset }) => make(dataset.name))),
  shift: () => { const all = [...list.children].map(({ dataset }) => dataset.name); all.push(all.shift());
    [...list.children].forEach((each, index) => name(each, all[index])); },
  cover: (row) => { const over = document.createElement("div"); over.className = "over";
    over.onclick = () => log("cover"); row.style.position = "relative"; row.append(over); },
  disable: (row) => { row.querySelector("button").disabled = true; },
  hide: (row) => { row.hidden = true; },
  nothing: () => {},
})`;

/** A list whose rows report what was done to them, and a random change after each event, at once or soon. */
function changingPage(seed: number): string {
  return site.page(`<style>.over { position: absolute; inset: 0; background: white }</style>
<ul id=list></ul><output id=out></output><script>
${generator.toString()}
const random = ${generator.name}(${seed});
const done = [];
const log = (what) => { done.push(what); out.textContent = JSON.stringify(done); };
const name = (row, text) => { row.dataset.name = text; row.querySelector("span").textContent = text;
  row.querySelector("input").setAttribute("aria-label", "Note of " + text); };
function make(text) {
  const row = document.createElement("li");
  row.innerHTML = "<span></span> <button>Delete</button> <input>";
  row.querySelector("button").onclick = () => { log("delete " + row.dataset.name); upset(); };
  // The mouse moves between the choice of the point and the press.
  row.onmousemove = () => { if (random() < 0.2) change(); };
  row.querySelector("input").oninput = () => { log("note " + row.dataset.name); upset(); };
  name(row, text);
  return row;
}
const changes = Object.values(${CHANGES});
let count = 0;
function change() {
  const rows = [...list.children];
  const any = () => rows[Math.floor(random() * rows.length)];
  if (rows.length > 0) changes[Math.floor(random() * changes.length)](any(), any(), ++count);
}
function upset() {
  const when = Math.floor(random() * 5);
  if (when === 0) change();
  else if (when === 1) queueMicrotask(change);
  else if (when === 2) requestAnimationFrame(change);
  else setTimeout(change, random() * 60);
}
list.append(...${JSON.stringify(NAMES)}.map(make));
</script>`);
}

interface Meant {
  step: JsonObject;
  does: string;
}

/** Returns steps on random rows, each with what it is to do. */
function meantOn(page: string, random: Random): Meant[] {
  return Array.from({ length: STEPS }, (): Meant => {
    const name = pick(NAMES, random);
    const deletes = random() < 0.5;
    const lines = page.split("\n");
    const row = lines.findIndex((line) => line.includes(`Note of ${name}"`));
    const line = lines[deletes ? row - 1 : row] ?? "";
    const ref = refOf(line, deletes ? "Delete" : "Note");
    return deletes
      ? { step: { click: { ref } }, does: `delete ${name}` }
      : { step: { type: { ref, text: "x" } }, does: `note ${name}` };
  });
}

async function recordOf(session: WorkerSession): Promise<string[]> {
  const [, record = "[]"] = /- status: (.*)$/m.exec(await session.read()) ?? [];
  return (record.startsWith('"') ? JSON.parse(JSON.parse(record)) : JSON.parse(record)) as string[];
}

test(`under ${SEEDS} random sequences of changes, no step acts on a wrong element`, async () => {
  await using session = worker.session();
  let acted = 0;
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const page = await session.open(changingPage(seed));
    const meant = meantOn(page, generator(seed + 1_000_000));
    const { error, done } = await session.call("browser_steps", { steps: meant.map(({ step }) => step) });
    const record = await recordOf(session);
    const wanted = meant.map(({ does }) => does);
    const step = error?.details.step as { done: number } | undefined;
    const carriedOut = Number(step?.done ?? done ?? 0);
    const told = `seed ${seed}: did ${record.join(", ")}, meant ${wanted.join(", ")}, ${error?.type ?? "no error"}`;
    // A step that failed may have acted before it did, but never on another element.
    assert.deepEqual(record, wanted.slice(0, record.length), told);
    assert.ok(record.length >= carriedOut && record.length <= carriedOut + 1, told);
    acted += record.length;
  }
  assert.ok(acted >= SEEDS, `only ${acted} actions were carried out`);
});
