// Approves, filters, sorts, edits and adds orders in MUI.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Orders"', at("1003", 'button "Approve"'), at("1001", /pending/)],
  });
  await person.click(at("1003", 'button "Approve"'), {
    shows: ['dialog "Approve this order?"', 'button "Approve it"'],
  });
  await person.click('button "Cancel"', { gone: ['dialog "Approve this order?"'] });
  await person.click(at("1002", 'button "Approve"'), { shows: ['dialog "Approve this order?"'] });
  await person.click('button "Approve it"', {
    shows: [at("1002", /approved/), at("1002", 'button "Approve" [disabled]'), /order 1002 approved/],
    gone: ['dialog "Approve this order?"'],
    did: ["order 1002 approved"],
  });
  await person.click('combobox "Status"', { shows: ['option "pending"', 'option "approved"'] });
  await person.click('option "pending"', {
    shows: [/pending/, at("1003", /pending/)],
    gone: ['option "approved"', /Bob Baker/],
  });
  await person.choose('combobox "Status"', ["all"], {
    shows: [at("1002", /Bob Baker/), at("1002", 'button "Edit"')],
  });
  await person.click('button "Total"', { shows: [/sort=descending/, at("1004", /300/)] });
  await person.click(at("1005", 'button "Edit"'), { shows: [at("1005", 'textbox "New total"')] });
  await person.type('textbox "New total"', "0", { shows: [/must be above 0/] }, { submit: true });
  await person.type(
    'textbox "New total"',
    "16",
    {
      shows: [at("1005", /16 €/), /order 1005 costs 16/],
      gone: ['textbox "New total"'],
      did: ["order 1005 costs 16"],
    },
    { submit: true },
  );
  await person.click('button "New order"', {
    shows: ['dialog "New order"', 'combobox "Customer"', 'button "Save" [disabled]'],
  });
  await person.type('combobox "Customer"', "dee", { shows: ['option "Dee Dorn"'] });
  await person.click('option "Dee Dorn"', {
    shows: ['combobox "Customer": Dee Dorn'],
    gone: ['option "Dee Dorn"'],
  });
  await person.type('spinbutton "Total"', "75", { shows: ['button "Save"'] });
  await person.click('button "Save"', {
    shows: [at("1007", /Dee Dorn/), /order 1007 made/],
    gone: ['dialog "New order"'],
    did: ["order 1007 made for Dee Dorn: 75"],
  });
}
