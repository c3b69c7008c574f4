// Sorts, filters, removes, adds and exports people in Ant Design.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  const remove = (name: string) => at(name, 'button "Remove"');
  await person.open("/", { shows: ['heading "Staff"', 'button "Add a person"', remove("Ben")] });
  await person.click(remove("Ben"), { shows: [/Remove Ben\?/, 'button "Yes"', 'button "No"'] });
  await person.click('button "No"', { gone: [/Remove Ben\?/] });
  await person.click(remove("Cleo"), { shows: [/Remove Cleo\?/, 'button "Yes"'] });
  await person.click('button "Yes"', {
    shows: [/Cleo removed/],
    gone: [/Remove Cleo\?/, remove("Cleo")],
    did: ["Cleo removed"],
  });
  await person.click(at("Dan", 'switch "Active"'), {
    shows: [at("Dan", 'switch "Active" [!checked]')],
    did: ["Dan away"],
  });
  await person.click(/^columnheader.*Shifts/, { shows: [/^columnheader.*Shifts.*sort=ascending/] });
  await person.click(at("Role", 'button "filter"'), {
    shows: [/^menuitem "?Cook|^checkbox "Cook/, /Waiter/, 'button "OK"'],
  });
  await person.click(/^menuitem.*Waiter/, {
    shows: [at("Waiter", "checkbox [checked]")],
  });
  await person.click('button "OK"', { gone: [remove("Dan"), 'button "OK"'] });
  await person.click('button "Add a person"', {
    shows: ['dialog "A new person"', 'textbox "* Name"', 'combobox "* Role"'],
  });
  await person.click('button "Save"', { shows: [/A name is needed/, /A role is needed/, /A day is needed/] });
  await person.type('textbox "* Name"', "Finn", {
    shows: ['textbox "* Name": Finn'],
    gone: [/A name is needed/],
  });
  await person.choose('combobox "* Role"', ["Waiter"], { shows: [/Waiter/], gone: [/A role is needed/] });
  await person.click('textbox "* Since"', { shows: [/Today/, /^(cell|gridcell).*15/] });
  await person.click(/^(cell|gridcell).*\b15\b/, {
    shows: [/^textbox "\* Since".*-15$/],
    gone: [/Today/, /A day is needed/],
  });
  const since = new Date().toISOString().slice(0, 8);
  await person.click('button "Save"', {
    shows: [/Finn added/, remove("Finn")],
    gone: ['dialog "A new person"'],
    did: [`Finn added as Waiter since ${since}15`],
  });
  await person.hover('button "Export"', { shows: ['menuitem "As a table"', /^menuitem "As a file/] });
  await person.hover(/^menuitem "As a file/, { shows: ['menuitem "CSV"', 'menuitem "PDF"'] });
  await person.click('menuitem "CSV"', {
    shows: [/exported as CSV/],
    gone: ['menuitem "As a table"'],
    did: ["exported as CSV"],
  });
}
