// Replaces and runs a query in Monaco, with a text area and with an EditContext.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Query"', /^(textbox|code).*Query/, /select 1/] });
  await person.type(/^textbox "[^"]*Query/, "select 2", { shows: [/select 2/] });
  await person.click('button "Run"', { shows: [/ran select 2$/], did: ["ran select 2"] });
  await person.choose('combobox "Input"', ["EditContext"], { shows: ['option "EditContext" [selected]'] });
  await person.type(/^textbox "[^"]*Query/, "select 3", { shows: [/select 3/] });
  await person.click('button "Run"', { shows: [/ran select 3$/], did: ["ran select 3"] });
}
