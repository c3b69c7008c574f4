// Chooses two days in flatpickr, each in its own calendar.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Stay"', 'textbox "From": 2026-03-01', 'textbox "Until"'] });
  await person.click('textbox "From"', {
    shows: [/March 18, 2026/, /^(combobox|spinbutton|textbox).*(Month|Year)/],
  });
  await person.click(/March 18, 2026/, {
    shows: ['textbox "From": 2026-03-18'],
    gone: [/March 19, 2026/],
    did: ["from 2026-03-18"],
  });
  await person.click('textbox "From"', { shows: [/March 18, 2026/] });
  await person.choose('combobox "Month"', ["May"], { shows: [/May 18, 2026/] });
  await person.click(/May 18, 2026/, {
    shows: ['textbox "From": 2026-05-18'],
    gone: [/May 19, 2026/],
    did: ["from 2026-05-18"],
  });
}
