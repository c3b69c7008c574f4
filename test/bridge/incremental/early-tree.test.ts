// Tests the tree that is asked for right after a probe, before it is known if styles have moved.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const PAGE =
  "<!doctype html><title>Page</title><p id=first>First</p><label><input type=checkbox id=box> Box</label>";

/** Opens the page and returns the number of its first tree. */
async function opened(): Promise<number> {
  await bridge.open(PAGE);
  return (await bridge.call("tree", {})).snapshot;
}

test("changes that a probe does not find are not read", async () => {
  const since = await opened();
  assert.equal((await bridge.call("probe", since)).isUnchanged, true);
  assert.equal(await bridge.call("earlyTree", { since }), undefined);
});

test("a mutation is read as if styles had moved with it", async () => {
  const since = await opened();
  await bridge.run("first.textContent = 'Second'");
  assert.equal((await bridge.call("probe", since)).isUnchanged, false);
  const early = await bridge.call("earlyTree", { since });
  assert.equal(early?.assumesStill, false);
  assert.equal(early?.kind, "delta");
  assert.match(early?.text ?? "", /Second/);
});

test("a change without a mutation is read as if styles were still, unless they are said to have moved", async () => {
  const since = await opened();
  for (const [isChecked, styleMoved] of [
    [true, undefined],
    [false, true],
  ] as const) {
    await bridge.run(`box.checked = ${isChecked}`);
    assert.equal((await bridge.call("probe", since)).isUnchanged, false);
    const early = await bridge.call("earlyTree", { ...(styleMoved && { styleMoved }) });
    assert.equal(early?.assumesStill, styleMoved === undefined);
    assert.equal(early?.text.includes("[checked]"), isChecked);
  }
});

test("the whole page is read even if the probe finds no change", async () => {
  const since = await opened();
  assert.equal((await bridge.call("probe", since)).isUnchanged, true);
  const early = await bridge.call("earlyTree", {});
  assert.equal(early?.assumesStill, true);
  assert.match(early?.text ?? "", /First/);
});
