// Writes and votes on a board over Socket.IO. The votes change its order.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Board"', at("Welcome", 'button "Vote"')] });
  for (const text of ["Cake", "Coffee"])
    await person.type(
      'textbox "Note"',
      text,
      {
        shows: [/saved/, at(text, /0 votes/), at(text, 'button "Vote"')].slice(text === "Cake" ? 0 : 1),
        did: [`added ${text}`],
      },
      { submit: true },
    );
  await person.click(at("Coffee", 'button "Vote"'), {
    shows: [at("Coffee", /1 votes/)],
    did: ["vote for Coffee"],
  });
  await person.click(at("Welcome", 'button "Vote"'), {
    shows: [at("Welcome", /1 votes/)],
    did: ["vote for Welcome"],
  });
  await person.click(at("Coffee", 'button "Vote"'), {
    shows: [at("Coffee", /2 votes/)],
    did: ["vote for Coffee"],
  });
  await person.click(at("Cake", 'button "Vote"'), { shows: [at("Cake", /1 votes/)], did: ["vote for Cake"] });
}
