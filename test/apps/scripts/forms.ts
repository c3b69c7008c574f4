// Fills in a booking, first wrongly, with React Hook Form and react-select.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Book a room"', 'combobox "City"', 'button "Book"'] });
  await person.click('button "Book"', {
    shows: [/Choose a city/, /Who comes\?/, /Which kind\?/, /Please agree/],
  });
  await person.type('combobox "City"', "ber", {
    shows: ['option "Berlin"', 'option "Bergen"', 'option "Bern"'],
  });
  await person.click('option "Bergen"', {
    shows: [/Bergen/],
    gone: ['option "Berlin"', /Choose a city/],
  });
  await person.choose('combobox "Extras"', ["Sauna"], { shows: [/Sauna/] });
  await person.click('combobox "Extras"', { shows: ['option "Parking"', 'option "Breakfast"'] });
  await person.click('option "Parking"', {
    shows: ['button "Remove Parking"'],
    gone: ['option "Breakfast"'],
  });
  await person.click('button "Remove Sauna"', { gone: ['button "Remove Sauna"'] });
  await person.type('textbox "Guest"', "A", { shows: ['textbox "Guest" [active]: A', /Too short/] });
  await person.press("Tab", { shows: ['spinbutton "Nights" [active]'] });
  await person.type('textbox "Guest"', "Ann", { shows: ['textbox "Guest": Ann'], gone: [/Too short/] });
  await person.click('radio "double"', {
    shows: ['radio "double" [checked]', /Breakfast for two/],
    gone: [/Which kind\?/],
  });
  await person.click('checkbox "I agree"', {
    shows: ['checkbox "I agree" [checked]'],
    gone: [/Please agree/],
  });
  await person.click('button "Book"', {
    shows: [/Booked for Ann in Bergen/, 'textbox "Guest" [!active]', 'radio "double" [!checked]'],
    did: ["Ann booked 2 nights in Bergen, double, Parking"],
  });
}
