// Adds, finishes, searches and drops tasks over GraphQL, which has the same address each time.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['heading "Tasks"', /3 left/, at("Call Ada", 'button "Finish"')] });
  for (const [index, title] of ["Buy milk", "Feed the cat", "Read"].entries()) {
    await person.type('textbox "New task"', title, { shows: [`textbox "New task": ${title}`] });
    await person.click('button "Add"', {
      shows: [at(title, 'button "Finish"'), new RegExp(`${index + 4} left`)],
      did: [`added ${title}`],
    });
  }
  await person.type('textbox "New task"', "Read", { shows: [/There is a task Read/] }, { submit: true });
  await person.click(at("Call Ada", 'button "Finish"'), {
    shows: [at("Call Ada", 'button "Reopen"'), /5 left/],
    did: ["Call Ada done"],
  });
  await person.click(at("Pay the rent", 'button "Finish"'), {
    shows: [at("Pay the rent", 'button "Reopen"'), /4 left/],
    did: ["Pay the rent done"],
  });
  await person.click(at("Call Ada", 'button "Reopen"'), {
    shows: [at("Call Ada", 'button "Finish"'), /5 left/],
    did: ["Call Ada open"],
  });
  await person.type('textbox "Search"', "the", {
    shows: ['textbox "Search": the'],
    gone: [at("Call Ada", 'button "Finish"')],
  });
  await person.click(at("Feed the cat", 'button "Drop"'), {
    shows: [/4 left/],
    gone: [at("Feed the cat", 'button "Drop"')],
    did: ["dropped Feed the cat"],
  });
  await person.type('textbox "Search"', "", { shows: [at("Call Ada", 'button "Finish"')] });
}
