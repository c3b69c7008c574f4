// Filters, ticks, edits and deletes films in PrimeVue.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  const remove = (title: string) => at(title, 'button "Delete"');
  await person.open("/", { shows: ['heading "Films"', 'combobox "Genre"', remove("Carol")] });
  await person.click(at("Duel", 'checkbox "Seen"'), {
    shows: [at("Duel", 'checkbox "Seen" [checked]')],
    did: ["Duel seen"],
  });
  await person.click('combobox "Genre"', { shows: ['option "Horror"', 'option "Drama"'] });
  await person.click('option "Horror"', {
    shows: [/^combobox "Genre".*Horror/],
    gone: ['option "Drama"', remove("Carol")],
  });
  await person.click(at("Alien", /^cell.*1979/), { shows: [at("Alien", /^textbox.*1979/)] });
  await person.type(
    at("Alien", /^textbox/),
    "1980",
    { shows: [/Alien is of 1980/, at("Alien", /^cell.*1980/)], did: ["Alien is of 1980"] },
    { submit: true },
  );
  await person.click(remove("Duel"), { shows: [/Delete Duel\?/, 'button "Yes, delete"'] });
  await person.click('button "No"', { gone: [/Delete Duel\?/] });
  await person.click(remove("Duel"), { shows: [/Delete Duel\?/] });
  await person.click('button "Yes, delete"', {
    shows: [/Duel deleted/],
    gone: [/Delete Duel\?/, remove("Duel")],
    did: ["Duel deleted"],
  });
  await person.choose('combobox "Genre"', ["All"], { shows: [remove("Carol")] });
}
