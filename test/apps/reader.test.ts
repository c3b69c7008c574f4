// The reader that judges the replies of real applications: neither more generous nor more strict than an attentive one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Reader } from "./reader.ts";

const page = `Opened http://127.0.0.1:1/
Page "Orders" http://127.0.0.1:1/ (tab t1, role visitor)

- heading "Orders" [level=1]
- table "Orders" [ref=e9]:
  - row:
    - cell: 1001
    - cell: open
    - button "Approve" [ref=e1]
  - row:
    - cell: 1002
    - cell: open
    - button "Approve" [ref=e2]
`;

function readerOf(...texts: string[]): Reader {
  const reader = new Reader();
  for (const text of texts) reader.read(text);
  return reader;
}

test("an element is found in the row of the words, not in the next one", () => {
  const reader = readerOf(page);
  assert.equal(reader.find({ line: 'button "Approve"', within: "1002" }), "e2");
  assert.equal(reader.find({ line: 'button "Approve"' }), "e1");
  assert.equal(reader.find({ line: 'button "Approve"', within: "100" }), undefined);
});

test("an element is found in the group of the words, whatever it stands in", () => {
  const cards = ["Tea", "Honey"].map(
    (name, n) => `- group "${name}":\n    - text: ${name} 0\n    - button "More" [ref=e${n}]`,
  );
  const reader = readerOf(`- main:\n  ${cards.join("\n  ")}`);
  assert.equal(reader.find({ line: 'button "More"', within: "Honey" }), "e1");
});

test("a changed line is placed by its ref, by the place it is told with, or by its row printed anew, and else not at all", () => {
  const reader = readerOf(page);
  const approved = { line: "cell: approved", within: "1002" };
  reader.read('Clicked e2\n~ in table "Orders" [ref=e9]:\n  - cell: approved');
  assert.ok(reader.unsaid(approved));
  reader.read('Clicked e2\n~ in row "1002":\n  - cell: approved');
  assert.ok(!reader.unsaid(approved));
  reader.read("Clicked e2\n~ - row:\n    - cell: 1002\n    - cell: approved");
  assert.ok(!reader.unsaid(approved));
  reader.read('Clicked e2\n~ - button "Approve" [disabled] [ref=e2]');
  assert.ok(!reader.unsaid({ line: 'button "Approve" [disabled]', within: "1002" }));
  assert.ok(reader.unsaid({ line: 'button "Approve" [disabled]', within: "1001" }));
});

test("what has gone must be said to be gone, or a part that it stood in be printed without it", () => {
  const approve = { line: 'button "Approve"', within: "1002" };
  const gone = (text: string) => !readerOf(page, text).unsaidGone(approve);
  assert.ok(!gone("Clicked e2\nNothing changed on the page."));
  assert.ok(gone('removed from table "Orders" [ref=e9]: e2 button "Approve"'));
  assert.ok(!gone('removed from table "Orders" [ref=e9]: e1 button "Approve"'));
  assert.ok(gone('removed from the page: e9 table "Orders"'));
  assert.ok(
    !readerOf(page, 'removed from main: row (cell "1002", e2 button "Approve")').unsaidGone({
      line: "cell: 1002",
    }),
  );
  assert.ok(
    gone('~ - table "Orders" [ref=e9]:\n    - row:\n      - cell: 1001\n      - button "Approve" [ref=e1]'),
  );
  assert.ok(
    !gone('~ - table "Orders" [ref=e9]:\n    - row:\n      - cell: 1002\n      - button "Approve" [ref=e2]'),
  );
});

test("what came beside another does not stand in it, and what is printed in its place replaces it", () => {
  const list =
    '- list:\n  - listitem:\n    - text: apple\n    - button "Drop" [ref=e1]\n- form:\n  - alert: Wrong';
  const moved = readerOf(
    list,
    '+ in list before listitem "apple":\n  - listitem:\n    - text: birch\n    - button "Drop" [ref=e2]',
  );
  assert.equal(moved.find({ line: 'button "Drop"', within: "apple" }), "e1");
  assert.ok(
    !readerOf(list, '~ in the page:\n  - form:\n    - button "Add" [ref=e3]').unsaidGone({
      line: "alert: Wrong",
    }),
  );
  assert.ok(
    readerOf(list, '+ in the page:\n  - form:\n    - button "Add" [ref=e3]').unsaidGone({
      line: "alert: Wrong",
    }),
  );
  const anew1002 = '~ in table "Orders" [ref=e9], was row "1002":\n  - row:\n    - cell: 1003';
  assert.ok(!readerOf(page, anew1002).unsaidGone({ line: "cell: 1002" }));
  assert.ok(readerOf(page, anew1002).unsaidGone({ line: "cell: 1001" }));
  const region = '- region "News" [ref=e5]:\n  - button "Dismiss" [ref=e6]';
  const anew = '~ in the page, was e5:\n  - region "News":\n    - list';
  assert.ok(!readerOf(region, anew).unsaidGone({ line: 'button "Dismiss"' }));
});

test("what was said to be gone or to be another is not found any more, nor what stood on an earlier page", () => {
  const approve = { line: 'button "Approve"', within: "1002" };
  assert.equal(readerOf(page, "removed from the page: e2 button").find(approve), undefined);
  assert.equal(readerOf(page, '~ - button "Undo" [ref=e2]').find(approve), undefined);
  assert.equal(
    readerOf(page, '~ - button "Undo" [ref=e2]').find({ ...approve, line: 'button "Undo"' }),
    "e2",
  );
  assert.equal(
    readerOf(page, 'Page "Other" http://127.0.0.1:1/\n\n- heading "Other"').find(approve),
    undefined,
  );
});

test("states and attributes may stand in any order, and a line asked for without its text may hold any", () => {
  const reader = readerOf(
    '- textbox "Name" [ref=e3] [required] [placeholder="a [b]"]: Ann\n- checkbox "On" [checked] [ref=e4]',
  );
  assert.equal(reader.find({ line: 'textbox "Name"' }), "e3");
  assert.equal(reader.find({ line: 'textbox "Name": Ann' }), "e3");
  assert.equal(reader.find({ line: 'textbox "Name": Bob' }), undefined);
  assert.equal(reader.find({ line: 'checkbox "On" [checked]' }), "e4");
  assert.equal(reader.find({ line: 'checkbox "On" [disabled]' }), undefined);
  assert.equal(reader.find({ line: 'checkbox "On" [!disabled]' }), "e4");
  assert.equal(reader.find({ line: 'checkbox "On" [!checked]' }), undefined);
});
