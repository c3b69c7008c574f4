// Likes and renames posts in frames of Turbo, and changes pages without loading one.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/posts", {
    shows: ['heading "Posts"', at("Summer", 'button "Like"'), /Winter, long ago/],
  });
  await person.click(at("Summer", 'button "Like"'), {
    shows: [at("Summer", /1 likes/)],
    did: ["liked Summer"],
  });
  await person.click(at("Autumn", 'button "Like"'), {
    shows: [at("Autumn", /1 likes/)],
    did: ["liked Autumn"],
  });
  await person.click(at("Summer", 'button "Like"'), {
    shows: [at("Summer", /2 likes/)],
    did: ["liked Summer"],
  });
  await person.click(at("Spring", 'link "Rename"'), { shows: ['textbox "Title": Spring', 'button "Save"'] });
  await person.type('textbox "Title"', "", { shows: [/A title is needed/] }, { submit: true });
  await person.type(
    'textbox "Title"',
    "March",
    {
      shows: [at("March", 'button "Like"')],
      gone: ['textbox "Title"'],
      did: ["Spring is now March"],
    },
    { submit: true },
  );
  await person.click('link "About"', { shows: ['heading "About"', /Seasons/], gone: ['heading "Posts"'] });
  await person.click('link "Posts"', {
    shows: ['heading "Posts"', at("Summer", /2 likes/), /Winter, long ago/],
  });
  await person.click(at("March", 'button "Like"'), { shows: [at("March", /1 likes/)], did: ["liked March"] });
}
