import assert from "node:assert/strict";
import { test } from "node:test";
import { Delivered } from "../../../worker/refs/delivered.ts";
import { DeliveredLines } from "../../../worker/refs/delivered-lines.ts";
import { parseRef, refsIn } from "../../../worker/refs/ref-text.ts";

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

test("the line of an element counts as its ref, but page text in it does not", () => {
  assert.equal(parsed('- button "Save" [ref=e5]').whole, "e5");
  assert.equal(parsed('- link "see [ref=e9]" [ref=f1_e3] [url=/a]').whole, "f1_e3");
  assert.equal(parseRef('- link "see [ref=e9]"'), undefined);
  assert.equal(parseRef("[ref=e5] [ref=e6]"), undefined);
});

test("other texts do not count as refs", () => {
  for (const text of ["", "e", "5", "E5", "e5x", "e5 e6", "f1_", "#e5", "e-5", "e5]]", "e1234567890", "éèe5"])
    assert.equal(parseRef(text), undefined, text);
});

test("only refs outside quotes count, whatever the quoted text holds", () => {
  const found = (text: string) => [...refsIn(text)].map(({ whole }) => whole);
  assert.deepEqual(found('- button "Go" [ref=e1]\n- link "x" [ref=f2_e3] [url=/a]'), ["e1", "f2_e3"]);
  assert.deepEqual(found('- button "[ref=e7]" [ref=e1]'), ["e1"]);
  assert.deepEqual(found('- button "say \\"[ref=e7]\\" twice" [ref=e1]'), ["e1"]);
  assert.deepEqual(found('- button "ends with a backslash \\\\" [ref=e1]'), ["e1"]);
  assert.deepEqual(found('- text: one " alone [ref=e2]'), ["e2"]);
  assert.deepEqual(found("- … 3 controls [expand with browser_snapshot ref=e77 offset=12]"), ["e77"]);
  assert.deepEqual(found("[ref=x1] [ref=e] [REF=e1] ref=e4"), []);
});

test("a ref works only in the document that it was delivered from", () => {
  const told = new Delivered();
  const e1 = parsed("e1");
  assert.equal(told.knows(e1, "one"), "unseen");
  told.deliver('- button "Go" [ref=e1]', new Map([[0, "one"]]));
  assert.equal(told.knows(e1, "one"), "known");
  assert.equal(told.knows(parsed("e2"), "one"), "unseen");
  // Another document is shown, and nothing of it was delivered.
  assert.equal(told.knows(e1, "two"), "earlier-page");
  told.deliver("- heading [ref=e2]", new Map([[0, "two"]]));
  assert.equal(told.knows(e1, "two"), "earlier-page");
  assert.equal(told.knows(parsed("e2"), "two"), "known");
  told.deliver("nothing to act on", new Map([[0, "three"]]));
  assert.equal(told.knows(parsed("e2"), "three"), "earlier-page");
  assert.equal(told.knows(parsed("e3"), "three"), "unseen");
});

test("refs of frames are separate, and those of a frame that is gone belong to an earlier page", () => {
  const told = new Delivered();
  told.deliver(
    "[ref=e1] [ref=f1_e1] [ref=f2_e1]",
    new Map([
      [0, "main"],
      [1, "first"],
    ]),
  );
  assert.equal(told.knows(parsed("f1_e1"), "first"), "known");
  assert.equal(told.knows(parsed("e1"), "first"), "earlier-page");
  // There was no second frame when that was delivered.
  assert.equal(told.knows(parsed("f2_e1"), undefined), "unseen");
  assert.equal(told.knows(parsed("f1_e1"), undefined), "earlier-page");
});

test("refs from before a tab's reopening belong to an earlier page, with their elements", () => {
  const told = new Delivered(new DeliveredLines(['- button "Save" [ref=e4]']));
  assert.equal(told.knows(parsed("e4"), "main"), "earlier-page");
  assert.deepEqual(told.elementOf(parsed("e4")), { role: "button", name: "Save" });
  assert.equal(told.knows(parsed("e5"), "main"), "unseen");
});

const worlds = (world: string) => new Map([[0, world]]);
const trees = (snapshot: number, since?: number) =>
  new Map([[0, since === undefined ? { snapshot } : { snapshot, since }]]);

test("a text delivers what it shows of a ref, and leaves the rest unchanged", () => {
  const told = new Delivered();
  const e1 = parsed("e1");
  told.deliver("[ref=e1]", worlds("one"), trees(3));
  assert.deepEqual(told.treesOf(e1), { line: 3, row: 3 });
  told.deliver("[ref=e1] [ref=e2]", worlds("one"), trees(5), "refs");
  assert.deepEqual(told.treesOf(e1), { line: 3, row: 3 });
  assert.deepEqual(told.treesOf(parsed("e2")), { line: 5, row: 5 });
  told.deliver("[ref=e1] [ref=e3]", worlds("one"), trees(6), "lines");
  assert.deepEqual(told.treesOf(e1), { line: 6, row: 3 });
  assert.deepEqual(told.treesOf(parsed("e3")), { line: 6, row: 6 });
  told.deliver("[ref=e1]", worlds("one"), trees(7));
  assert.deepEqual(told.treesOf(e1), { line: 7, row: 7 });
});

test("a reader with all changes since a tree knows the newer tree, in lines and in rows", () => {
  const told = new Delivered();
  told.deliver("[ref=e1] [ref=e2]", worlds("one"), trees(3));
  told.deliver("[ref=e1]", worlds("one"), trees(4), "lines");
  told.deliver("", worlds("one"), trees(5, 3), "lines");
  assert.deepEqual(told.treesOf(parsed("e2")), { line: 5, row: 5 });
  assert.deepEqual(told.treesOf(parsed("e1")), { line: 4, row: 5 });
});

test("refs that watchers receive may be used, beside the session's own", () => {
  const told = new Delivered();
  told.deliver("[ref=e1]", worlds("one"), trees(1));
  told.show("[ref=e1] [ref=e2]", worlds("one"), trees(2));
  told.show("[ref=e2] [ref=e3]", worlds("one"), trees(3));
  assert.equal(told.knows(parsed("e2"), "one"), "known");
  assert.deepEqual(
    ["e1", "e2", "e3"].map((ref) => told.treesOf(parsed(ref))?.line),
    [1, 2, 3],
  );
  assert.deepEqual(told.heldFor(0, "one"), [2, 3]);
  // The session's own delivery needs no tree of the watcher any more.
  told.deliver("[ref=e2]", worlds("one"), trees(4), "refs");
  assert.deepEqual(told.heldFor(0, "one"), [3]);
  assert.deepEqual(told.heldFor(0, "two"), []);
});

test("refs that watchers receive do not make refs of an earlier document valid", () => {
  const told = new Delivered();
  const [e1, e2, e3] = [parsed("e1"), parsed("e2"), parsed("e3")];
  told.deliver("[ref=e1]", worlds("one"));
  told.show("[ref=e2]", worlds("one"), trees(1));
  told.show("[ref=e1] [ref=e2] [ref=e3]", worlds("two"), trees(1));
  assert.equal(told.knows(e1, "two"), "earlier-page");
  assert.equal(told.knows(e2, "two"), "earlier-page");
  assert.equal(told.knows(e3, "two"), "known");
  // This also holds for a document before the last one.
  told.deliver("[ref=e4]", worlds("two"));
  assert.equal(told.knows(e1, "two"), "earlier-page");
  told.deliver("[ref=e1]", worlds("two"));
  assert.equal(told.knows(e1, "two"), "known");
  assert.equal(told.knows(e3, "three"), "earlier-page");
});

test("if some earlier refs are forgotten, refs that only watchers received are not trusted", () => {
  const told = new Delivered();
  const refs = (from: number) => Array.from({ length: 20_001 }, (_, at) => `[ref=e${from + at}]`).join(" ");
  told.deliver(refs(1), worlds("one"));
  told.deliver(refs(30_000), worlds("two"));
  told.deliver("[ref=e90000]", worlds("three"));
  told.show("[ref=e1]", worlds("three"), trees(1));
  assert.equal(told.knows(parsed("e1"), "three"), "unseen");
});

test("snapshots are counted", () => {
  const told = new Delivered();
  const look = { loaderId: "l", frames: new Map(), elementCount: 0, url: "", title: "" };
  assert.equal(told.remember(look).id, 1);
  assert.equal(told.remember(look).id, 2);
  assert.equal(told.snapshot?.id, 2);
});
