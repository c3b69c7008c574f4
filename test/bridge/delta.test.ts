// What a delta says, so that its reader believes nothing that is not so.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBridge } from "./fixture.ts";

/** Chrome's headless shell (147) makes no layout of 2,000: it hangs by itself. */
const LEVELS = 1_500;

let bridge: Awaited<ReturnType<typeof openBridge>>;
before(async () => {
  bridge = await openBridge();
});
after(() => bridge.close());

/** The delta after a script on a page. */
async function deltaOf(page: string, script: string): Promise<string[]> {
  await bridge.open(page);
  const { snapshot } = await bridge.call("tree", { prefix: "" });
  await bridge.run(script);
  const { kind, text } = await bridge.call("tree", { prefix: "", since: snapshot });
  assert.equal(kind, "delta");
  return text.split("\n");
}

const FILL = `<footer>${"<p>line</p>".repeat(40)}</footer>`;

test("what moved without a ref is told to be gone from where it was", async () => {
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

test("what moved with its ref is told by its line in the new place alone", async () => {
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

test("what lost its ref is told with the ref that it had, what got one by its place", async () => {
  const page = `<style>.p { cursor: pointer }</style><main><p id=a class=p>Same</p><p id=b>Same</p></main>${FILL}`;
  const delta = await deltaOf(page, "a.className = ''; b.className = 'p'");
  assert.deepEqual(delta, [
    "~ in main, was e1:",
    "  - paragraph: Same",
    "~ in main:",
    "  - paragraph [ref=e2]: Same",
  ]);
});

test("the neighbour that is named is the nearest ref, also one inside or around what has none", async () => {
  const page = `<main><ul><li>One <button>Buy</button></li><li id=two>Two</li></ul><div id=box><p>Text</p></div><button>Last</button></main>${FILL}`;
  for (const [script, head] of [
    ["box.insertAdjacentHTML('beforeend', '<p>Came</p>')", "+ in main after e1:"],
    ["two.insertAdjacentHTML('afterend', '<li>Came</li>')", "+ in main after e1:"],
    [
      "document.querySelector('main').insertAdjacentHTML('afterbegin', '<p>Came</p>')",
      "+ in main before e1:",
    ],
    ["document.querySelector('main').insertAdjacentHTML('beforeend', '<p>Came</p>')", "+ in main after e2:"],
  ] as const) {
    assert.equal((await deltaOf(page, script))[0], head);
  }
});

test("what is gone and says nothing of itself is known by what stood in it", async () => {
  const page = `<main><table><tr><td>Ada<td>1<tr id=r><td>Bob<td>2</table></main>${FILL}`;
  assert.deepEqual(await deltaOf(page, "r.remove()"), ['removed from main: row (cell "Bob", cell "2")']);
});

test("a change more than a thousand levels deep is told, and what is gone from there", async () => {
  await bridge.open(`<div id=deep></div>${FILL}`);
  await bridge.run(`{
    let inner = document.getElementById("deep");
    for (let i = 0; i < ${LEVELS}; i++) inner = inner.appendChild(Object.assign(document.createElement("section"), { ariaLabel: "L" + i }));
    inner.innerHTML = "<button>Deep</button>";
  }`);
  const { snapshot } = await bridge.call("tree", { prefix: "" });
  await bridge.run("document.querySelector('button').textContent = 'Dug'");
  const changed = await bridge.call("tree", { prefix: "", since: snapshot });
  assert.equal(changed.text, '~ - button "Dug" [ref=e1]');
  await bridge.run("deep.remove()");
  const gone = await bridge.call("tree", { prefix: "", since: changed.snapshot });
  assert.match(gone.text, /^removed from the page: region "L0" \(region "L1"/);
});
