// Writes, formats, undoes and sends a note in Lexical.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Note"', /Call Ann/, 'button "Bold"'] });
  await person.type('textbox "Note"', "Call Bob", { shows: [/Call Bob/], gone: [/Call Ann/] });
  await person.click('button "Bold"', { shows: ['button "Bold" [pressed]'] });
  await person.click('button "Heading"', { shows: ['heading "Call Bob" [level=2]'] });
  await person.click('button "Undo"', { gone: ['heading "Call Bob"'], shows: [/Call Bob/] });
  await person.click('button "List"', { shows: [/listitem/] });
  await person.type('textbox "Note"', "Milk", { shows: ["strong: Milk"], gone: [/Call Bob/] });
  await person.press("Enter", {});
  await person.press("b", { shows: ["strong: b"] });
  await person.press("Control+z", { gone: ["strong: b"] });
  await person.press("Control+Shift+z", { shows: ["strong: b"] });
  await person.type('textbox "Note"', "Milk\nTea", {
    shows: ["strong: Milk", "strong: Tea"],
    gone: ["strong: b"],
  });
  await person.type('textbox "Note"', "Milk\nb", { shows: ["strong: b"], gone: ["strong: Tea"] });
  await person.click('button "Send"', {
    shows: [/sent \d+ letters/],
    did: ["sent <ul><li><b><strong>Milk</strong></b></li><li><b><strong>b</strong></b></li></ul>"],
  });
}
