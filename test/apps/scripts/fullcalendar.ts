// Plans a day, looks at the next month, moves and removes a plan in FullCalendar.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: [/March 2026/, /Dentist/, at("March 20, 2026", /20/)] });
  // A day itself listens to nothing.
  await person.find("March 20, 2026");
  await person.click(/^(grid)?cell.*March 20, 2026/, { shows: ['dialog "A plan"', 'textbox "Title"'] });
  await person.type('textbox "Title"', "Picnic", { shows: ['textbox "Title": Picnic'] });
  await person.click('button "Save"', {
    shows: [/Picnic on 2026-03-20/, at("March 20, 2026", /Picnic/)],
    gone: ['dialog "A plan"'],
    did: ["Picnic on 2026-03-20"],
  });
  await person.click(/^button "[Nn]ext/, { shows: [/April 2026/], gone: [/March 20, 2026/, /Dentist/] });
  await person.click(/^button "[Pp]rev/, {
    shows: [/March 2026/, at("March 12, 2026", /Dentist/), at("March 20, 2026", /Picnic/)],
  });
  await person.find("March 25, 2026");
  await person.drag(at("March 12, 2026", /Dentist/), /^(grid)?cell.*March 25, 2026/, {
    shows: [/Dentist moved to 2026-03-25/, at("March 25, 2026", /Dentist/)],
    gone: [at("March 12, 2026", /Dentist/)],
    did: ["Dentist moved to 2026-03-25"],
  });
  await person.click(at("March 25, 2026", /Dentist/), {
    shows: [/Dentist removed/],
    gone: [at("March 25, 2026", /Dentist/)],
    did: ["Dentist removed"],
  });
}
