// Zooms, searches, opens a place, visits it and switches a layer on a map of Leaflet.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Town"', 'button "Zoom in"', 'button "Show Castle"', 'button "Harbour"'],
  });
  await person.click('button "Zoom in"', { shows: [/zoom 13/, /^text: 1 km/], did: ["zoom 13"] });
  await person.click('button "Zoom in"', {
    shows: [/zoom 14/, /^button "Zoom in".*\[disabled\]/],
    did: ["zoom 14"],
  });
  await person.click('button "Zoom out"', {
    shows: [/zoom 13/, 'button "Zoom in" [!disabled]'],
    did: ["zoom 13"],
  });
  await person.click('button "Castle"', { shows: [/Castle/, 'button "Visit"'], did: ["opened Castle"] });
  await person.click('button "Visit"', {
    shows: [/visit Castle/],
    gone: ['button "Visit"'],
    did: ["visit Castle"],
  });
  await person.click('checkbox "Hotels"', {
    shows: ['checkbox "Hotels" [checked]', /"Hotel Sun"/],
    did: ["Hotels on"],
  });
  await person.click('checkbox "Hotels"', {
    shows: ['checkbox "Hotels" [!checked]'],
    gone: [/"Hotel Sun"/],
    did: ["Hotels off"],
  });
  await person.type(
    'searchbox "Search"',
    "mar",
    {
      shows: [/"Show Market"|"Market"/],
      gone: ['button "Castle"', 'button "Show Castle"'],
      did: ["searched mar"],
    },
    { submit: true },
  );
  await person.click('button "Show Market"', { shows: [/zoom 14/], did: ["zoom 14"] });
  await person.click('button "Market"', { shows: ['button "Visit"'], did: ["opened Market"] });
  await person.click('button "Close popup"', { gone: ['button "Visit"'] });
  // The map itself takes keys.
  await person.click(/^generic .*\[ref=/, { shows: [/^generic.*\[active\]/] });
  await person.press("-", { shows: [/zoom 13/], did: ["zoom 13"] });
  await person.press("-", { shows: [/zoom 12/], did: ["zoom 12"] });
}
