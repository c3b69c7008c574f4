// Counts, sorts, deletes and orders parts in Element Plus.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Parts"', at("Nut", 'button "Delete"'), 'spinbutton "Stock of Nut": 3'],
  });
  await person.click(at("Nut", /^button "increase|^button "[^"]*increase/i), {
    shows: ['spinbutton "Stock of Nut": 4'],
    did: ["Nut 4"],
  });
  await person.type(
    'spinbutton "Stock of Bolt"',
    "9",
    { shows: ['spinbutton "Stock of Bolt": 9'], did: ["Bolt 9"] },
    { submit: true },
  );
  await person.click(at("Screw", 'button "Delete"'), { shows: ['dialog "Careful"', /Delete Screw\?/] });
  await person.click('button "Keep it"', { gone: ['dialog "Careful"'] });
  await person.click(at("Nut", 'button "Delete"'), { shows: ['dialog "Careful"', /Delete Nut\?/] });
  await person.click('button "Delete it"', {
    shows: [/Nut deleted/],
    gone: ['dialog "Careful"', at("Nut", 'button "Delete"')],
    did: ["Nut deleted"],
  });
  await person.click('button "Order parts"', { shows: ['dialog "An order"', 'button "Send"'] });
  await person.click('button "Send"', { shows: [/Which part\?/, /Which day\?/] });
  await person.choose(/^combobox "[*] ?Part"|^combobox "Part"/, ["Screw"], {
    shows: [/Screw/],
    gone: [/Which part\?/],
  });
  await person.click(/^(textbox|combobox) "([*] ?)?Day"/, { shows: [/^(grid)?cell.*\b15\b/] });
  await person.click(/^(grid)?cell.*\b15\b/, {
    shows: [/^(textbox|combobox) "([*] ?)?Day".*-15/],
    gone: [/Which day\?/, /^(grid)?cell.*\b16\b/],
  });
  await person.click('radio "Courier"', { shows: ['radio "Courier" [checked]'] });
  const month = new Date().toISOString().slice(0, 8);
  await person.click('button "Send"', {
    shows: [/Screw ordered/],
    gone: ['dialog "An order"'],
    did: [`Screw ordered for ${month}15 by courier`],
  });
}
