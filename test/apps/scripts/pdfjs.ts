// Reads a contract in pdf.js: goes through its pages, zooms and searches.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Contract"', /Contract of sale/, /Price 400 EUR/, "text: of 3"],
  });
  await person.click('button "Next page"', {
    shows: ['spinbutton "Page": 2', /Signatures Ann Bob/],
    did: ["page 2"],
  });
  await person.type('spinbutton "Page"', "3", { shows: ['spinbutton "Page": 3'], did: ["page 3"] });
  await person.click('button "Previous page"', { shows: ['spinbutton "Page": 2'], did: ["page 2"] });
  const region = 'region "Document"';
  const aPage = { direction: "down", amount: 1_130 };
  await person.scroll(region, aPage, { shows: ['spinbutton "Page": 3'], did: ["page 3"] });
  await person.scroll(
    region,
    { ...aPage, direction: "up" },
    {
      shows: ['spinbutton "Page": 2'],
      did: ["page 2"],
    },
  );
  await person.click('button "Zoom in"', { shows: [/zoom 110 %/], did: ["zoom 110 %"] });
  await person.click('button "Zoom out"', { shows: [/zoom 100 %/], did: ["zoom 100 %"] });
  await person.type(
    'searchbox "Search"',
    "Ann",
    { shows: [/2 found/, 'spinbutton "Page": 3'], did: ["found", "page 3"] },
    { submit: true },
  );
  await person.type('searchbox "Search"', "Carl", { shows: ['searchbox "Search": Carl'] });
  await person.click('button "Find"', { shows: [/nothing found/], did: ["nothing found"] });
}
