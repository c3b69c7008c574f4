// Filters a chart of ECharts, hides a shop, zooms in, looks at a bar and writes a note.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Sales"', /January/, 'combobox "Kind"', /Bar chart representing North/],
  });
  await person.choose('combobox "Kind"', ["Lines"], {
    shows: [/Line chart representing North/],
    gone: [/Bar chart representing/],
    did: ["kind line"],
  });
  await person.click('checkbox "North"', {
    shows: ['checkbox "North" [!checked]', /North hidden/],
    did: ["North hidden"],
  });
  await person.click('checkbox "North"', { shows: [/North shown/], did: ["North shown"] });
  await person.type('slider "From"', "2", {
    shows: ['slider "From": 2', /March April May/],
    did: ["from March"],
  });
  await person.press("ArrowLeft", { shows: ['slider "From": 1', /February March/], did: ["from February"] });
  // Drawn parts have no refs of their own.
  await person.find("South");
  await person.click(/^text.*South/, {
    gone: [/series is a Line chart representing South/],
    did: ["South hidden"],
  });
  await person.type('textbox "Remark"', "May is best", { shows: ['textbox "Remark": May is best'] });
  await person.click('button "Save remark"', {
    shows: ["listitem: May is best", 'textbox "Remark"'],
    did: ["remark May is best"],
  });
}
