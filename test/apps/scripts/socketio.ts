// Writes and votes on a board over Socket.IO, by WebSocket and by long polling. The votes change its order.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Board"', at("Welcome", 'button "Vote"')] });
  await add(person, "Cake", /saved/);
  await add(person, "Coffee");
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
  await person.open("/?polling", { shows: [at("Cake", /1 votes/)] });
  await add(person, "Tea", /saved/);
  await add(person, "Milk");
  await person.click(at("Tea", 'button "Vote"'), { shows: [at("Tea", /1 votes/)], did: ["vote for Tea"] });
}

async function add(person: Person, text: string, ...shows: RegExp[]): Promise<void> {
  const added = [...shows, at(text, /0 votes/), at(text, 'button "Vote"')];
  await person.type('textbox "Note"', text, { shows: added, did: [`added ${text}`] }, { submit: true });
}
