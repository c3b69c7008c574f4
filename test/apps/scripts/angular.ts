// Filters, sorts, pages, adds, changes and removes members in Angular Material.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  const actions = (name: string) => at(name, 'button "Actions"');
  await person.open("/", {
    shows: ['heading "Members"', 'tab "All" [selected]', actions("Cleo"), /1 – 5 of 7/],
    gone: [],
  });
  await person.click('button "Next page"', {
    shows: [actions("Gil"), /6 – 7 of 7/, 'button "Next page" [disabled]'],
    gone: [actions("Ada")],
  });
  await person.choose('combobox "Items per page:"', ["10"], {
    shows: [/1 – 7 of 7/, actions("Ada")],
  });
  await person.click('button "Name"', { shows: [/^columnheader.*sort=ascending/] });
  await person.click('button "Name"', { shows: [/^columnheader.*sort=descending/, actions("Gil")] });
  await person.click(at("Dan", 'checkbox "Paid"'), {
    shows: [at("Dan", 'checkbox "Paid" [checked]')],
    did: ["Dan paid"],
  });
  await person.type('textbox "Filter"', "berg", {
    shows: ['textbox "Filter": berg', /1 – 3 of 3/],
    gone: [actions("Ada")],
  });
  await person.type('textbox "Filter"', "nobody", { shows: [/Nobody is like that/], gone: [actions("Dan")] });
  await person.type('textbox "Filter"', "", { shows: [actions("Cleo"), /1 – 7 of 7/] });
  await person.click(actions("Cleo"), {
    shows: ['menuitem "Make it gold"', 'menuitem "Remove"', at("Cleo", 'button "Actions" [expanded]')],
  });
  await person.click('menuitem "Make it gold"', {
    shows: [at("Cleo", "cell: Gold"), /Cleo is gold/],
    gone: ['menuitem "Remove"'],
    did: ["Cleo is gold"],
  });
  await person.click('button "Dismiss"', { gone: [/Cleo is gold/] });
  await person.click(actions("Ben"), { shows: ['menuitem "Remove"'] });
  await person.press("Escape", { gone: ['menuitem "Remove"'] });
  await person.click(actions("Eva"), { shows: ['menuitem "Remove"'] });
  await person.click('menuitem "Remove"', {
    shows: [/^dialog/, /Remove Eva\?/, 'button "Keep"'],
    gone: ['menuitem "Remove"'],
  });
  await person.click('button "Keep"', { gone: [/^dialog/, /Remove Eva\?/] });
  await person.click(actions("Eva"), { shows: ['menuitem "Remove"'] });
  await person.click('menuitem "Remove"', { shows: [/Remove Eva\?/, 'button "Remove"'] });
  await person.click('button "Remove"', {
    shows: [/Eva removed/, /1 – 6 of 6/],
    gone: [/^dialog/, actions("Eva")],
    did: ["Eva removed"],
  });
  await addMember(person);
  await person.click('tab "Rules"', {
    shows: ['tab "Rules" [selected]', 'button "Fees" [expanded=false]'],
    gone: [actions("Ada")],
  });
  await person.click('button "Fees"', { shows: ['button "Fees" [expanded]', /Nine euros a month/] });
  await person.click('button "Fees"', { shows: ['button "Fees" [expanded=false]'], gone: [/Nine euros/] });
  await person.click('tab "All"', { shows: ['tab "All" [selected]', at("Hal", 'button "Actions"')] });
}

async function addMember(person: Person): Promise<void> {
  await person.click('button "New member"', {
    shows: [/^dialog/, 'textbox "Name"', 'combobox "Plan"', 'button "Save"'],
  });
  await person.click('button "Save"', { shows: [/A member has a name/, /^textbox "Name".*\[invalid\]/] });
  await person.type('textbox "Name"', "Ada", {
    shows: [/There is one of that name/],
    gone: [/A member has a name/],
  });
  await person.type('textbox "Name"', "Hal", {
    shows: ['textbox "Name": Hal'],
    gone: [/There is one of that name/],
  });
  await person.click('combobox "Plan"', { shows: ['option "Basic" [selected]', 'option "Gold"'] });
  await person.click('option "Gold"', { shows: [/Gold/], gone: ['option "Family"'] });
  await person.click('combobox "Town"', { shows: ['option "Bergen"', 'option "Turku"'] });
  await person.type('combobox "Town"', "ber", { shows: ['option "Bergen"'], gone: ['option "Turku"'] });
  await person.click('option "Bergen"', { shows: ['combobox "Town": Bergen'], gone: ['option "Bergen"'] });
  await person.click('button "Open calendar"', { shows: [/MAY 2030/i, 'button "May 9, 2030"'] });
  await person.click('button "Next month"', { shows: [/JUN 2030/i], gone: ['button "May 9, 2030"'] });
  await person.click('button "June 9, 2030"', {
    shows: ['textbox "Since": 6/9/2030'],
    gone: ['button "Next month"'],
  });
  await person.click('switch "Letters"', { shows: ['switch "Letters" [checked]'] });
  const did = "Hal of Bergen since 6/9/2030, Gold, letters";
  await person.click('button "Save"', {
    shows: [new RegExp(did), at("Hal", "cell: Gold")],
    gone: [/^dialog/],
    did: [did],
  });
}
