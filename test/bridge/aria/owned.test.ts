// An element's owned elements (aria-owns) appear in it as soon as they exist, even long after their owner.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const PAGE = "<!doctype html><body><div role=group aria-label=Menu aria-owns=m></div><p>Text</p>";
const OWNED = '- group "Menu":\n  - list:\n    - listitem: One\n- paragraph: Text';

const comings: [how: string, script: string][] = [
  ["is added", "document.body.insertAdjacentHTML('beforeend', '<ul id=m><li>One</ul>')"],
  ["is given its id", "document.querySelector('ul').id = 'm'"],
];
for (const [how, script] of comings) {
  test(`an owned part that ${how} later is in its owner at once`, async () => {
    await bridge.open(how === "is added" ? PAGE : `${PAGE}<ul><li>One</ul>`);
    await bridge.tree();
    await bridge.run(script);
    assert.equal((await bridge.tree()).trim(), OWNED);
    await bridge.run("document.querySelector('ul').remove()");
    assert.equal((await bridge.tree()).trim(), '- group "Menu"\n- paragraph: Text');
  });
}

test("a button's name does not include its popup", async () => {
  const popup = "<ul id=m><li><a href=/x>Cancel</a></ul>";
  const tree = await bridge.treeOf(
    `<!doctype html><body><button aria-haspopup=menu aria-owns=m>More</button>${popup}`,
  );
  assert.equal(tree.trim().split("\n")[0], '- button "More" [ref=e1]:');
});
