// Sorts, filters, finds, pages, selects, edits and removes staff in MUI's data grid.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  const more = (name: string) => at(name, 'button "more"');
  await person.open("/", { shows: ['heading "Staff"', more("Cleo"), /1–5 of 12/] });
  await person.click('button "Go to next page"', {
    shows: [more("Finn"), /6–10 of 12/],
    gone: [more("Ada")],
  });
  await person.choose('combobox "Rows per page:"', ["10"], {
    shows: [more("Lea"), /11–12 of 12/],
    gone: [more("Finn")],
  });
  await person.click('button "Go to previous page"', { shows: [more("Ada"), /1–10 of 12/] });
  await person.click(at("Hours", /^columnheader/), { shows: [/^columnheader.*sort=ascending/, more("Kim")] });
  await person.click(at("Dan", 'checkbox "Select row"'), {
    shows: [at("Dan", /^checkbox.*\[checked\]/), /1 row selected/],
  });
  await person.click(
    at("Dan", /^gridcell.*21/),
    { shows: [at("Dan", /^spinbutton.*21/)] },
    { doubleClick: true },
  );
  await person.type(
    at("Dan", /^spinbutton/),
    "36",
    { shows: [at("Dan", /^gridcell.*36/), /Dan: hours 36/], gone: [/^spinbutton/], did: ["Dan: hours 36"] },
    { submit: true },
  );
  await person.click(
    at("Gil", /^gridcell.*22/),
    { shows: [at("Gil", /^spinbutton.*22/)] },
    { doubleClick: true },
  );
  await person.type(at("Gil", /^spinbutton/), "99", { shows: [/99 hours are too many/] }, { submit: true });
  await person.press("Escape", { shows: [at("Gil", /^gridcell.*22/)], gone: [/^spinbutton/] });
  await person.click(more("Gil"), { shows: ['menuitem "Call"', 'menuitem "Remove"'] });
  await person.click('menuitem "Call"', {
    shows: [/Gil called/],
    gone: ['menuitem "Remove"'],
    did: ["Gil called"],
  });
  await person.click('button "Close"', { gone: [/Gil called/] });
  await person.click(more("Gil"), { shows: ['menuitem "Remove"'] });
  await person.click('menuitem "Remove"', { shows: ['dialog "Does Gil leave?"'], gone: ['menuitem "Call"'] });
  await person.click('button "Yes"', {
    shows: [/Gil left/],
    gone: ['dialog "Does Gil leave?"', more("Gil")],
    did: ["Gil left"],
  });
  await person.click('button "Search"', { shows: [/^searchbox.*active/] });
  await person.type(/^searchbox/, "a", { shows: [more("Lea")], gone: [more("Ben")] });
  await person.click('button "Clear"', { shows: [more("Ben")] });
  await person.click('button "Filters"', { shows: ['combobox "Column"', 'textbox "Value"'] });
  await person.choose('combobox "Column"', ["Team"], { shows: [/^combobox "Column".*Team/] });
  await person.choose('combobox "Value"', ["Legal"], { shows: [/1–4 of 4/], gone: [more("Ada")] });
  await person.press("Escape", { gone: ['combobox "Column"'] });
}
