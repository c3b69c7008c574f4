// Searches, chooses, clears, tags and plans trips in Select2.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  // The search field stands at the end of the page, far from its combobox.
  const search = 'searchbox "Search" [active]';
  await person.open("/", {
    shows: ['heading "Trips"', 'combobox "Which country?"', at("Oslo", 'button "Remove"')],
  });
  await person.click('button "Plan it"', { shows: [/A trip needs a country/] });
  await person.click('combobox "Which country?"', {
    shows: ['option "Denmark"', 'option "Norway"', /^searchbox/],
  });
  await person.type(search, "gre", {
    shows: ['option "Greece"'],
    gone: ['option "Denmark"'],
  });
  await person.click('option "Greece"', {
    shows: [/^combobox "Greece"/],
    gone: ['option "Greece"', /^combobox "Which country/],
    did: ["country Greece"],
  });
  await person.choose(/^combobox "Greece"/, ["Italy"], {
    shows: [/^combobox "Italy"/],
    gone: [/^combobox "Greece"/],
    did: ["country Italy"],
  });
  await person.click('combobox "Which city?"', { shows: [/^searchbox/, /2 or more characters/] });
  await person.type(search, "mi", {
    shows: ['option "Milan"'],
    gone: [/2 or more characters/],
  });
  await person.type(search, "mix", {
    shows: [/No results found/],
    gone: ['option "Milan"'],
  });
  await person.press("Escape", { gone: [/No results found/] });
  await person.click('button "Plan it"', { shows: [/A trip needs a city/] });
  await person.click('combobox "Which city?"', { shows: [/2 or more characters/] });
  await person.type(search, "mil", { shows: ['option "Milan"'] });
  await person.press("Enter", { shows: [/^combobox "Milan"/], gone: ['option "Milan"'] });
  await person.click(at("Interests", /^searchbox/), { shows: ['option "Food"', 'option "Hiking"'] });
  await person.click('option "Hiking"', { shows: [/^listitem.*Hiking/], gone: ['option "Food"'] });
  await person.type(
    at("Interests", /^searchbox/),
    "Opera",
    { shows: [/^listitem.*Opera/] },
    { submit: true },
  );
  await person.click(at("Hiking", /^button "Remove item"/), { gone: [/^listitem.*Hiking/] });
  await person.press("Escape", {});
  await person.choose('combobox "Second"', ["First"], {
    shows: [/^combobox "First"/],
    gone: ['combobox "Second"'],
    did: ["class First"],
  });
  await person.click('button "Plan it"', {
    shows: [at("Milan", 'button "Remove"'), 'combobox "Which country?"'],
    gone: [/A trip needs/, /^combobox "Milan"/],
    did: ["Milan in Italy for Opera", "country none"],
  });
  await person.click(at("Oslo", 'button "Remove"'), { gone: [/Oslo/], did: ["Oslo removed"] });
}
