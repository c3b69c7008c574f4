// Switches, unfolds, renames and deletes files in Bootstrap.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['radio "Small" [checked]', 'switch "Hidden files"', at("notes.txt", 'button "Actions"')],
  });
  await person.click('radio "Large"', { shows: ['radio "Large" [checked]'], did: ["size large"] });
  await person.click('switch "Hidden files"', {
    shows: ['switch "Hidden files" [checked]'],
    did: ["hidden true"],
  });
  await person.click('button "Details"', { shows: ['button "Details" [expanded]', /3 files, 12 kB/] });
  await person.click('button "Details"', {
    shows: ['button "Details" [expanded=false]'],
    gone: [/3 files, 12 kB/],
  });
  await person.click('tab "Shared"', {
    shows: ['tab "Shared" [selected]', /Nothing is shared/],
    gone: [at("notes.txt", 'button "Actions"')],
  });
  await person.click('tab "Own"', {
    shows: ['tab "Own" [selected]', at("plan.txt", 'button "Actions"')],
    gone: [/Nothing is shared/],
  });
  await person.click(at("notes.txt", 'button "Actions"'), {
    shows: [at("notes.txt", 'button "Actions" [expanded]'), at("notes.txt", 'button "Rename"')],
  });
  await person.click(at("notes.txt", 'button "Rename"'), {
    shows: ['dialog "Rename"', 'textbox "New name" [active]: notes.txt'],
  });
  await person.type('textbox "New name"', "plan.txt", { shows: ['textbox "New name": plan.txt'] });
  await person.click('button "Save"', { shows: [/There is a file plan.txt already/] });
  await person.type(
    'textbox "New name"',
    "ideas.txt",
    {
      shows: [/ideas.txt is now|notes.txt is now ideas.txt/, /^listitem|: ideas.txt/],
      gone: ['dialog "Rename"'],
      did: ["notes.txt is now ideas.txt"],
    },
    { submit: true },
  );
  await person.click(at("plan.txt", 'button "Actions"'), { shows: [at("plan.txt", 'button "About"')] });
  await person.click(at("plan.txt", 'button "About"'), {
    shows: ['dialog "About this file"', /plan.txt holds 7 kB/],
  });
  await person.click('button "Close"', { gone: ['dialog "About this file"', /plan.txt holds 7 kB/] });
  await person.click(at("budget.txt", 'button "Actions"'), { shows: [at("budget.txt", 'button "Delete"')] });
  await person.click(at("budget.txt", 'button "Delete"'), {
    shows: [/budget.txt deleted/],
    gone: [at("budget.txt", 'button "Actions"')],
    did: ["budget.txt deleted"],
  });
}
