import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Asking,
  afterAction,
  afterPage,
  afterSnapshot,
  knowsPage,
  NOTHING_SHOWN,
  type Shown,
} from "../../../worker/refs/shown.ts";

const usual: Asking = { loaderId: "A", key: "usual", usual: "usual" };
const other: Asking = { ...usual, key: "other" };
const elsewhere: Asking = { ...usual, loaderId: "B" };

type Step = (shown: Shown) => Shown;
const page: Step = (shown) => afterPage(shown, "A", false);
const foldedPage: Step = (shown) => afterPage(shown, "A", true);
const action: Step = (shown) => afterAction(shown, false);
const cutAction: Step = (shown) => afterAction(shown, true);
const look =
  (asking: Asking, answer: "whole" | "part" | "changes"): Step =>
  (shown) =>
    afterSnapshot(shown, asking, answer);

const cases: [says: string, steps: Step[], asking: Asking, knows: boolean][] = [
  ["nothing shown", [], usual, false],
  ["an action alone", [action], usual, false],
  ["a page", [page], usual, true],
  ["a page, other arguments", [page], other, false],
  ["a page, another document", [page], elsewhere, false],
  ["a folded page", [foldedPage], usual, false],
  ["a folded page, then an action", [foldedPage, action], usual, true],
  ["an action of which not all was told", [page, cutAction], usual, false],
  ["a snapshot", [look(usual, "whole")], usual, true],
  ["a snapshot, then changes", [look(usual, "whole"), look(usual, "changes")], usual, false],
  ["changes, then an action", [page, look(usual, "changes"), action], usual, true],
  ["other arguments", [page, look(other, "whole")], usual, false],
  ["other arguments twice", [look(other, "whole")], other, true],
  ["other arguments, then an action", [page, look(other, "whole"), action], usual, true],
  ["other arguments, an action, and these again", [page, look(other, "whole"), action], other, true],
  ["other arguments alone, then an action", [look(other, "whole"), action], usual, false],
  ["a part", [page, look(other, "part")], usual, false],
  ["a part, then an action", [page, look(other, "part"), action], usual, true],
  ["a part, then the same part", [page, look(other, "part")], other, false],
];

for (const [says, steps, asking, knows] of cases) {
  test(`after ${says}, a delta is ${knows ? "enough" : "not enough"}`, () => {
    assert.equal(
      knowsPage(
        steps.reduce((shown, step) => step(shown), NOTHING_SHOWN),
        asking,
      ),
      knows,
    );
  });
}
