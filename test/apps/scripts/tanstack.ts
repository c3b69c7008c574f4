// Orders, sorts, filters and scrolls in a virtual table, whose few elements show changing rows.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  const order = (part: string) => at(part, 'button "Order"');
  await person.open("/", { shows: ['heading "Stock"', /1000 parts/, order("2002"), at("2002", "cell: 74")] });
  await person.click(order("2002"), { shows: [at("2002", "cell: 84")], did: ["10 more of 2002"] });
  await person.click('button "Amount"', {
    shows: [/sort=descending/, at("2027", "cell: 499"), order("2027")],
  });
  await person.click(order("2527"), { shows: [at("2527", "cell: 509")], did: ["10 more of 2527"] });
  await person.click('button "Amount"', { shows: [/sort=ascending/, at("2000", "cell: 0")] });
  await person.click(order("2500"), { gone: [order("2500")], did: ["10 more of 2500"] });
  await person.type('textbox "Place"', "oslo", {
    shows: [/333 parts/],
    gone: [order("2000")],
  });
  await person.type('textbox "Place"', "", { shows: [/1000 parts/, order("2000")] });
  await person.click(/^region "Parts"/, { shows: [/^region "Parts".*active/] });
  await person.press("End", { shows: [at("2527", "cell: 509"), order("2527")] });
  await person.click(order("2527"), { shows: [at("2527", "cell: 519")], did: ["10 more of 2527"] });
}
