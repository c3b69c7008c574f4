import assert from "node:assert/strict";
import { test } from "node:test";
import { agentBrowser, chromeDevtools, playwright, troupe } from "./dialect.ts";

const texts = {
  troupe: `- link "Two" [ref=e1]\n- button "Add one" [disabled] [ref=e2] [x=y]: 1\n- button "Add two" [ref=e3]`,
  playwright: `- link "Two" [ref=e1] [cursor=pointer]\n- button "Add one" [ref=e2] [cursor=pointer]`,
  chromeDevtools: `uid=1_0 RootWebArea "Act"\n  uid=1_3 link "Two"\n  uid=1_4 button "Add one" focused`,
  agentBrowser: String.raw`"tree": "- link \"Two\" [ref=e9]\n- button \"Add one\" [focused, ref=e2]\n- textbox"`,
};

test("each contender's refs are found by role and name", () => {
  assert.equal(troupe.refOf(texts.troupe, "button", "Add one"), "e2");
  assert.equal(playwright.refOf(texts.playwright, "button", "Add one"), "e2");
  assert.equal(chromeDevtools.refOf(texts.chromeDevtools, "button", "Add one"), "1_4");
  assert.equal(agentBrowser.refOf(texts.agentBrowser, "button", "Add one"), "e2");
});

test("a missing element has no ref, and not another element's", () => {
  assert.equal(troupe.refOf(texts.troupe, "button", "Two"), undefined);
  assert.equal(troupe.refOf(`- button "A"\n- link "B" [ref=e1]`, "button", "A"), undefined);
  assert.equal(chromeDevtools.refOf(texts.chromeDevtools, "textbox", "Name"), undefined);
  assert.equal(chromeDevtools.refOf(`uid=1 link "B"\n  button "A"`, "button", "A"), undefined);
});

test("a snapshot that a contender lacks is not made up", () => {
  for (const dialect of [playwright, chromeDevtools]) {
    assert.equal(dialect.look("default"), undefined);
    assert.deepEqual(dialect.look("again"), dialect.look("full"));
  }
  assert.notDeepEqual(troupe.look("again"), troupe.look("full"));
});
