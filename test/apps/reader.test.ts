// The reader that judges the replies of real applications. It is as generous and as strict as an attentive person.
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

const pageOf = (lines: string) => `Page "A" http://127.0.0.1:1/ (tab t1, role visitor)\n\n${lines}`;

function readerOf(...texts: string[]): Reader {
  const reader = new Reader();
  for (const text of texts) reader.read(text);
  return reader;
}

test("an element is found in the row with the words, not in the next one", () => {
  const reader = readerOf(page);
  assert.equal(reader.find({ line: 'button "Approve"', within: "1002" }), "e2");
  assert.equal(reader.find({ line: 'button "Approve"' }), "e1");
  assert.equal(reader.find({ line: 'button "Approve"', within: "100" }), undefined);
});

test("an element is found in the group with the words, whatever is around it", () => {
  const cards = ["Tea", "Honey"].map(
    (name, n) => `- group "${name}":\n    - text: ${name} 0\n    - button "More" [ref=e${n}]`,
  );
  const reader = readerOf(pageOf(`- main:\n  ${cards.join("\n  ")}`));
  assert.equal(reader.find({ line: 'button "More"', within: "Honey" }), "e1");
});

test("a changed line stands at its ref or its stated place, and no place is guessed", () => {
  const approved = { line: "cell: approved", within: "1002" };
  const unclear = [
    '~ in table "Orders" [ref=e9]:\n  - cell: approved',
    '~ in row "1002" of e9:\n  - cell: approved',
    '+ in row "1002" of e9:\n  - cell: approved',
    '~ - button "Undo" [ref=e8]',
  ];
  for (const delta of unclear) {
    const reader = readerOf(page);
    assert.notEqual(reader.read(`Clicked e2\n${delta}`), undefined, delta);
    assert.ok(reader.unsaid(approved));
  }
  const told = (delta: string) => {
    const reader = readerOf(page);
    assert.equal(reader.read(`Clicked e2\n${delta}`), undefined);
    return reader;
  };
  assert.ok(!told('~ in row "1002" of e9, was cell "open":\n  - cell: approved').unsaid(approved));
  assert.ok(told('~ in row "1001" of e9, was cell "open":\n  - cell: approved').unsaid(approved));
  assert.ok(
    !told('~ in e9, was row "1002":\n  - row:\n    - cell: 1002\n    - cell: approved').unsaid(approved),
  );
  const disabled = told('~ - button "Approve" [disabled] [ref=e2]');
  assert.ok(!disabled.unsaid({ line: 'button "Approve" [disabled]', within: "1002" }));
  assert.ok(disabled.unsaid({ line: 'button "Approve" [disabled]', within: "1001" }));
});

test("a text says only its own lines, not what the reader knows besides", () => {
  const reader = readerOf(page, 'Clicked e1\n~ - button "Approve" [active] [ref=e1]');
  assert.ok(!reader.unsaid({ line: 'button "Approve" [active]', within: "1001" }));
  assert.ok(reader.unsaid({ line: "cell: 1001" }));
  reader.read("Clicked e1\nNothing changed on the page.");
  assert.ok(reader.unsaid({ line: 'button "Approve" [active]' }));
});

test("a removed part must be named as gone, or its surroundings printed without it", () => {
  const approve = { line: 'button "Approve"', within: "1002" };
  const gone = (text: string) => !readerOf(page, text).unsaidGone(approve);
  assert.ok(!gone("Clicked e2\nNothing changed on the page."));
  assert.ok(gone('removed from row "1002" of e9: e2 button "Approve"'));
  assert.ok(!gone('removed from row "1001" of e9: e1 button "Approve"'));
  assert.ok(gone('removed from the page: e9 table "Orders"'));
  const row = 'removed from table "Orders" [ref=e9]: row (cell "1002", e2 button "Approve")';
  assert.ok(!readerOf(page, row).unsaidGone({ line: "cell: 1002" }));
  assert.ok(readerOf(page, row).unsaidGone({ line: "cell: 1001" }));
  assert.ok(
    gone('~ - table "Orders" [ref=e9]:\n    - row:\n      - cell: 1001\n      - button "Approve" [ref=e1]'),
  );
  assert.ok(
    !gone('~ - table "Orders" [ref=e9]:\n    - row:\n      - cell: 1002\n      - button "Approve" [ref=e2]'),
  );
  assert.ok(readerOf(page).unsaidGone({ line: "cell: 1003" }));
});

test("a part out of sight counts as gone once its place is printed without it", () => {
  const out = readerOf(page, 'removed from the page: heading "Orders", e9 table "Orders"');
  const bob = { line: "cell: 1002" };
  out.read('+ in the page:\n  - dialog "Wait"');
  assert.ok(out.unsaidGone(bob));
  out.read(
    '+ in the page after dialog "Wait":\n  - table "Orders" [ref=e9]:\n    - row:\n      - cell: 1001',
  );
  assert.ok(!out.unsaidGone(bob));
});

test("a part that came beside another is not inside it, and one printed in its place replaces it", () => {
  const list = pageOf(
    '- list:\n  - listitem:\n    - text: apple\n    - button "Drop" [ref=e1]\n- form:\n  - alert: Wrong',
  );
  const moved = readerOf(
    list,
    '+ in list before listitem "apple":\n  - listitem:\n    - text: birch\n    - button "Drop" [ref=e2]',
  );
  assert.equal(moved.find({ line: 'button "Drop"', within: "apple" }), "e1");
  assert.equal(moved.find({ line: 'button "Drop"', within: "birch" }), "e2");
  const form = 'form:\n    - button "Add" [ref=e3]';
  assert.ok(!readerOf(list, `~ in the page:\n  - ${form}`).unsaidGone({ line: "alert: Wrong" }));
  assert.ok(readerOf(list, `+ in the page after list:\n  - ${form}`).unsaidGone({ line: "alert: Wrong" }));
  const anew1002 = '~ in table "Orders" [ref=e9], was row "1002":\n  - row:\n    - cell: 1003';
  assert.ok(!readerOf(page, anew1002).unsaidGone({ line: "cell: 1002" }));
  assert.ok(readerOf(page, anew1002).unsaidGone({ line: "cell: 1001" }));
  const region = pageOf('- region "News" [ref=e5]:\n  - button "Dismiss" [ref=e6]');
  const anew = '~ in the page, was e5:\n  - region "News":\n    - list';
  assert.ok(!readerOf(region, anew).unsaidGone({ line: 'button "Dismiss"' }));
});

test("a status is news about a line and not its name", () => {
  const list = pageOf(
    '- main:\n  - list:\n    - listitem:\n      - text: apple\n      - button "Drop" [ref=e1]',
  );
  const reader = readerOf(list, "+ in main after list:\n  - status: birch gone");
  assert.equal(reader.find({ line: 'button "Drop"', within: "birch" }), undefined);
  assert.ok(reader.unsaidGone({ line: 'button "Drop"', within: "birch" }));
  assert.equal(reader.find({ line: 'button "Drop"', within: "apple" }), "e1");
});

test("search results stay usable while the page is the same", () => {
  const found = pageOf('table "Orders" [ref=e9]\n  row\n    - cell [ref=e7]: 1002\n\n1 found');
  const reader = readerOf(page, found);
  assert.equal(reader.find({ line: "cell: 1002" }), "e7");
  reader.read(pageOf('- heading "Other"'));
  assert.equal(reader.find({ line: "cell: 1002" }), undefined);
});

test("parts that are gone, replaced or of an earlier page are not found any more", () => {
  const approve = { line: 'button "Approve"', within: "1002" };
  assert.equal(readerOf(page, 'removed from row "1002" of e9: e2 button').find(approve), undefined);
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

test("states may come in any order, and a line without a text matches any text", () => {
  const reader = readerOf(
    pageOf(
      '- textbox "Name" [ref=e3] [required] [placeholder="a [b]"]: Ann\n- checkbox "On" [checked] [ref=e4]',
    ),
  );
  assert.equal(reader.find({ line: 'textbox "Name"' }), "e3");
  assert.equal(reader.find({ line: 'textbox "Name": Ann' }), "e3");
  assert.equal(reader.find({ line: 'textbox "Name": Bob' }), undefined);
  assert.equal(reader.find({ line: 'checkbox "On" [checked]' }), "e4");
  assert.equal(reader.find({ line: 'checkbox "On" [disabled]' }), undefined);
  assert.equal(reader.find({ line: 'checkbox "On" [!disabled]' }), "e4");
  assert.equal(reader.find({ line: 'checkbox "On" [!checked]' }), undefined);
});
