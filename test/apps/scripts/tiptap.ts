// Writes, formats and sends a letter in TipTap.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Letter"', /Dear Ann/, 'button "Bold"'] });
  await person.type('textbox "Letter"', "Dear Bob", { shows: [/Dear Bob/], gone: [/Dear Ann/] });
  await person.click('button "Bold"', { shows: ['button "Bold" [pressed]'] });
  await person.click('button "Heading"', {
    shows: ['button "Heading" [pressed]', 'heading "Dear Bob" [level=2]'],
  });
  await person.click('button "Heading"', {
    shows: ['button "Heading" [!pressed]'],
    gone: ['heading "Dear Bob"'],
  });
  await person.click('button "List"', { shows: ['button "List" [pressed]', /listitem/] });
  await person.click('button "Send"', {
    shows: [/sent 8 letters/],
    did: ["sent <ul><li><p><strong>Dear Bob</strong></p></li></ul>"],
  });
}
