// Searches, sorts, changes, cancels and adds bookings in Vuetify.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  const more = (guest: string) => at(guest, 'button "More"');
  await person.open("/", { shows: ['heading "Bookings"', more("Cleo"), 'textbox "Search"'] });
  await person.click(more("Cleo"), {
    shows: ["listitem: One night more", "listitem: Cancel it"],
  });
  await person.click("listitem: One night more", {
    shows: [at("Cleo", "cell: 8"), /Cleo stays 8 nights/],
    gone: ["listitem: Cancel it"],
    did: ["Cleo stays 8 nights"],
  });
  await person.click(/^columnheader.*Nights/, {
    shows: [/^columnheader.*sort=ascending/, more("Finn")],
    gone: [more("Eva")],
  });
  await person.type('textbox "Search"', "en", {
    shows: ['textbox "Search": en', more("Cleo")],
    gone: [more("Finn")],
  });
  await person.click(more("Ben"), { shows: ["listitem: Cancel it"] });
  await person.click("listitem: Cancel it", {
    shows: [/Ben cancelled/],
    gone: [more("Ben")],
    did: ["Ben cancelled"],
  });
  await person.click('button "Dismiss"', { gone: [/Ben cancelled/] });
  await person.type('textbox "Search"', "", { shows: [more("Finn")] });
  await person.click('button "New booking"', { shows: [/^dialog/, 'textbox "Guest"', 'button "Save"'] });
  await person.click('button "Save"', { shows: [/It is needed/] });
  await person.type('textbox "Guest"', "Hal", { shows: ['textbox "Guest": Hal'] });
  await person.choose('combobox "Room"', ["Tower"], { shows: [/Tower/] });
  await person.choose('combobox "Country"', ["Greece"], { shows: [/Greece/] });
  await person.click(/^(switch|checkbox) "Breakfast"/, {
    shows: [/^(switch|checkbox) "Breakfast".*\[checked\]/],
  });
  const did = "Hal of Greece booked Tower with breakfast";
  await person.click('button "Save"', { shows: [new RegExp(did)], gone: [/^dialog/], did: [did] });
}
