// Sorts, finds, selects and edits prices in AG Grid.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Prices"', at("Cherry", "gridcell: 5")] });
  await person.click(/^columnheader.*[Pp]rice/, { shows: [/^columnheader.*sort=ascending/] });
  await person.click(at("Date", /^checkbox/), {
    shows: [at("Date", /^checkbox.*\[checked\]/), /1 selected/],
    did: ["1 selected"],
  });
  await person.click(
    at("Cherry", "gridcell: 5"),
    { shows: [at("Cherry", /^spinbutton.*active.*5/)] },
    { doubleClick: true },
  );
  await person.type(
    at("Cherry", /^spinbutton|^textbox/),
    "8",
    { shows: [at("Cherry", "gridcell: 8"), /Cherry price 8/], did: ["Cherry price 8"] },
    { submit: true },
  );
  await person.type('textbox "Find"', "an", {
    shows: ['textbox "Find": an'],
    gone: [at("Cherry", "gridcell: 8")],
  });
  await person.type('textbox "Find"', "", { shows: [at("Cherry", "gridcell: 8")] });
}
