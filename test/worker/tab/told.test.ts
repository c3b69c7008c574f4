import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRef, refsIn, Told } from "../../../worker/tab/told.ts";

const parsed = (text: string) => parseRef(text) ?? assert.fail(`${text} is no ref`);

test("refs are read in every form that models write", () => {
  for (const text of [
    "e5",
    "@e5",
    "ref=e5",
    "[ref=e5]",
    " e5\n",
    '"e5"',
    "f0_e5",
    "'e5'",
    "`e5`",
    "[e5]",
    "(e5)",
    "ref: e5",
    'ref="e5"',
    "aria-ref=e5",
  ])
    assert.deepEqual(parseRef(text), { frame: 0, local: "e5", whole: "e5" });
  for (const text of ["f1_e3", "f1e3", "@f1_e3", "[ref=f1e3]"])
    assert.deepEqual(parseRef(text), { frame: 1, local: "e3", whole: "f1_e3" });
});

test("the line of an element is its ref; page text in it is none", () => {
  assert.equal(parsed('- button "Save" [ref=e5]').whole, "e5");
  assert.equal(parsed('- link "see [ref=e9]" [ref=f1_e3] [url=/a]').whole, "f1_e3");
  assert.equal(parseRef('- link "see [ref=e9]"'), undefined);
  assert.equal(parseRef("[ref=e5] [ref=e6]"), undefined);
});

test("what is no ref is none", () => {
  for (const text of ["", "e", "5", "E5", "e5x", "e5 e6", "f1_", "#e5", "e-5", "e5]]", "e1234567890", "éèe5"])
    assert.equal(parseRef(text), undefined, text);
});

test("only refs outside of quotes count, whatever the quoted text tries", () => {
  const found = (text: string) => [...refsIn(text)].map(({ whole }) => whole);
  assert.deepEqual(found('- button "Go" [ref=e1]\n- link "x" [ref=f2_e3] [url=/a]'), ["e1", "f2_e3"]);
  assert.deepEqual(found('- button "[ref=e7]" [ref=e1]'), ["e1"]);
  assert.deepEqual(found('- button "say \\"[ref=e7]\\" twice" [ref=e1]'), ["e1"]);
  assert.deepEqual(found('- button "ends with a backslash \\\\" [ref=e1]'), ["e1"]);
  assert.deepEqual(found('- text: one " alone [ref=e2]'), ["e2"]);
  assert.deepEqual(found("- … 3 controls [expand with browser_snapshot ref=e77 offset=12]"), ["e77"]);
  assert.deepEqual(found("[ref=x1] [ref=e] [REF=e1] ref=e4"), []);
});

test("a ref works in the document that it was told from, and in no other", () => {
  const told = new Told();
  const e1 = parsed("e1");
  assert.equal(told.knows(e1, "one"), "unseen");
  told.deliver('- button "Go" [ref=e1]', new Map([[0, "one"]]));
  assert.equal(told.knows(e1, "one"), "known");
  assert.equal(told.knows(parsed("e2"), "one"), "unseen");
  // Another document is shown, of which nothing has been told.
  assert.equal(told.knows(e1, "two"), "earlier-page");
  told.deliver("- heading [ref=e2]", new Map([[0, "two"]]));
  assert.equal(told.knows(e1, "two"), "earlier-page");
  assert.equal(told.knows(parsed("e2"), "two"), "known");
  told.deliver("nothing to act on", new Map([[0, "three"]]));
  assert.equal(told.knows(parsed("e2"), "three"), "earlier-page");
  assert.equal(told.knows(parsed("e3"), "three"), "unseen");
});

test("refs of frames are apart, and those of a frame that is gone are of an earlier page", () => {
  const told = new Told();
  told.deliver(
    "[ref=e1] [ref=f1_e1] [ref=f2_e1]",
    new Map([
      [0, "main"],
      [1, "first"],
    ]),
  );
  assert.equal(told.knows(parsed("f1_e1"), "first"), "known");
  assert.equal(told.knows(parsed("e1"), "first"), "earlier-page");
  // There was no second frame when that was told.
  assert.equal(told.knows(parsed("f2_e1"), undefined), "unseen");
  assert.equal(told.knows(parsed("f1_e1"), undefined), "earlier-page");
});

test("looks are counted", () => {
  const told = new Told();
  const look = { loaderId: "l", frames: new Map(), elementCount: 0, url: "", title: "" };
  assert.equal(told.remember(look).id, 1);
  assert.equal(told.remember(look).id, 2);
  assert.equal(told.look?.id, 2);
});
