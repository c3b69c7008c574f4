// Selects trips, opens their menus, and plans one in a modal of React Aria.
import { at, type Person } from "../person.ts";

/** Announcements for screen readers disappear after a while. */
export const restless = /^(log|text).*(selected|available|Selected Date)/;

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Trips"', /0 chosen/, at("Crete", 'button "More"')] });
  await person.click(at("Crete", /^checkbox/), {
    shows: [at("Crete", /^checkbox.*\[checked\]/), /1 chosen/],
  });
  await person.click(at("Baltic", /^row/), { shows: [at("Baltic", /^checkbox.*\[checked\]/), /2 chosen/] });
  await person.click(at("Crete", /^checkbox/), {
    shows: [at("Crete", /^checkbox(?!.*\[checked\])/), /1 chosen/],
  });
  await person.click(at("Douro", /^button "More/), { shows: ['menuitem "Copy"', 'menuitem "Archive"'] });
  await person.click('menuitem "Archive"', {
    shows: [/archive Douro/],
    gone: ['menuitem "Archive"'],
    did: ["archive Douro"],
  });
  await person.click('button "Plan a trip"', {
    shows: ['dialog "A new trip"', 'combobox "Where"', 'button "Save" [disabled]'],
  });
  await person.type('combobox "Where"', "cre", { shows: ['option "Crete"'] });
  await person.click('option "Crete"', { shows: ['combobox "Where": Crete'], gone: ['option "Crete"'] });
  await person.click(/^button "Increase/, { shows: [/^textbox "People.*: "?3/] });
  await person.click(/^button ".*Calendar|^button "▼ Day|^button "Day/, { shows: [/^button "[^"]*\b15,/] });
  await person.click(/^button "[^"]*\b15,/, {
    shows: [/^spinbutton "day.*15/, 'button "Save" [!disabled]'],
    gone: [/^button "[^"]*\b15,/],
  });
  await person.click('button "Save"', {
    shows: [/3 to Crete on the 15th/],
    gone: ['dialog "A new trip"'],
    did: ["3 to Crete on the 15th"],
  });
}
