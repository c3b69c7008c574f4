// Orders, sorts, filters and scrolls in a virtual table, where rows come and go under the same few elements.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  const order = (part: string) => at(part, 'button "Order"');
  await person.open("/", { shows: ['heading "Stock"', /1000 parts/, order("1002"), at("1002", "cell: 74")] });
  await person.click(order("1002"), { shows: [at("1002", "cell: 84")], did: ["10 more of 1002"] });
  await person.click('button "Amount"', {
    shows: [/sort=descending/, at("1027", "cell: 499"), order("1027")],
  });
  await person.click(order("1527"), { shows: [at("1527", "cell: 509")], did: ["10 more of 1527"] });
  await person.click('button "Amount"', { shows: [/sort=ascending/, at("1000", "cell: 0")] });
  await person.click(order("1500"), { gone: [order("1500")], did: ["10 more of 1500"] });
  await person.type('textbox "Place"', "oslo", {
    shows: [/333 parts/],
    gone: [order("1000")],
  });
  await person.type('textbox "Place"', "", { shows: [/1000 parts/, order("1000")] });
  await person.click(/^region "Parts"/, { shows: [/^region "Parts".*active/] });
  await person.press("End", { shows: [at("1527", "cell: 509"), order("1527")] });
  await person.click(order("1527"), { shows: [at("1527", "cell: 519")], did: ["10 more of 1527"] });
}
