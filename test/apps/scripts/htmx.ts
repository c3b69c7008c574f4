// Searches, edits in place, deletes and chats with a server that sends HTML.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Contacts"', at("Bob", 'button "Edit"')] });
  await person.click(at("Bob", 'button "Edit"'), {
    shows: [at("Bob", 'textbox "City": Rome'), at("Bob", 'button "Save"')],
  });
  await person.type(at("Bob", 'textbox "City"'), "", { shows: [at("Bob", 'textbox "City"')] });
  await person.click(at("Bob", 'button "Save"'), { shows: [at("Bob", /A city is needed/)] });
  await person.type(at("Bob", 'textbox "City"'), "Paris", { shows: [at("Bob", 'textbox "City": Paris')] });
  await person.click(at("Bob", 'button "Save"'), {
    shows: [at("Bob", "cell: Paris"), at("Bob", 'button "Edit"')],
    gone: ['textbox "City"'],
    did: ["Bob lives in Paris"],
  });
  await person.click(at("Ann", 'button "Delete"'), {
    gone: [at("Ann", 'button "Delete"')],
    did: ["Ann deleted"],
  });
  await person.type('textbox "Search"', "c", {
    shows: ['textbox "Search": c'],
    gone: [at("Bob", 'button "Edit"')],
  });
  await person.type('textbox "Search"', "", { shows: [at("Bob", 'button "Edit"')] });
  await person.type(
    'textbox "Message"',
    "hi",
    { shows: [/heard hi/], did: ["message hi"] },
    { submit: true },
  );
  await person.type('textbox "Message"', "ho", { shows: ['textbox "Message": ho'] });
  await person.click('button "Send"', { shows: [/heard ho/], did: ["message ho"] });
}
