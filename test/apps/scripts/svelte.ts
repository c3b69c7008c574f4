// Adds, moves, unfolds and drops words in Svelte, each with a transition.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Words"', 'button "Add" [disabled]', at("birch", 'button "Up"')],
  });
  await person.type('textbox "Word"', "cedar", { shows: ["alert: cedar is there already"] });
  await person.type('textbox "Word"', "daisy", {
    shows: ['button "Add" [!disabled]'],
    gone: [/is there already/],
  });
  await person.click('button "Add"', {
    shows: [at("daisy", 'button "Drop"'), 'button "Add" [disabled]'],
    did: ["added daisy"],
  });
  await person.click(at("birch", 'button "Up"'), {
    shows: [at("birch", 'button "Up" [disabled]'), at("apple", 'button "Up" [!disabled]')],
    did: ["birch up"],
  });
  await person.click(at("cedar", 'button "About"'), {
    shows: [at("cedar", 'button "About" [expanded]'), /cedar has 5 letters/],
  });
  await person.click(at("daisy", 'button "About"'), {
    shows: [at("daisy", 'button "About" [expanded]'), /daisy has 5 letters/],
    gone: [/cedar has/],
  });
  await person.click(at("apple", 'button "Drop"'), {
    gone: [at("apple", 'button "Drop"')],
    did: ["dropped apple"],
  });
  await person.click(at("daisy", 'button "Up"'), { shows: [at("daisy", 'button "Up"')], did: ["daisy up"] });
}
