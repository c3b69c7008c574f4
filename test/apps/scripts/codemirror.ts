// Reads, replaces, searches and saves a script in CodeMirror.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Script"', at("Script", "text: const one = 1;"), 'button "Save"'],
  });
  await person.type('textbox "Script"', "let three = 3;\nlet four = 4;", {
    shows: [/let three = 3;/, /let four = 4;/],
    gone: [/const one/],
  });
  await person.click('button "Save"', {
    shows: [/2 lines saved/],
    did: [`saved ${JSON.stringify("let three = 3;\nlet four = 4;")}`],
  });
  await person.click('textbox "Script"', { shows: [/^textbox "Script".*\[active\]/] });
  await person.press("Control+f", { shows: ['textbox "Find"', 'button "next"'] });
  await person.type('textbox "Find"', "four", { shows: ['textbox "Find": four'] });
  await person.press("Escape", { gone: ['textbox "Find"'] });
}
