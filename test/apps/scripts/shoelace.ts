// Fills in and ships a parcel in Shoelace, whose controls are custom elements.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Ship a parcel"', 'combobox "Size"', 'spinbutton "Weight"', 'radio "Slow" [checked]'],
  });
  await person.click('combobox "Size"', { shows: ['option "Large"', 'option "Huge"'] });
  await person.click('option "Large"', {
    shows: [/^combobox "Size".*Large/],
    gone: ['option "Huge"'],
    did: ["size large"],
  });
  await person.choose('combobox "Size"', ["Huge"], { shows: [/^combobox "Size".*Huge/], did: ["size huge"] });
  await person.type('spinbutton "Weight"', "7", { shows: ['spinbutton "Weight": 7'] });
  await person.click('radio "Fast"', { shows: ['radio "Fast" [checked]'], did: ["speed fast"] });
  await person.click('checkbox "Fragile"', {
    shows: ['checkbox "Fragile" [checked]'],
    did: ["fragile true"],
  });
  await person.click('switch "Signature"', { shows: ['switch "Signature" [checked]'], did: ["signed true"] });
  await person.click('button "Prices"', { shows: ['button "Prices" [expanded]', /From four euros/] });
  await person.click('button "Prices"', {
    shows: ['button "Prices" [expanded=false]'],
    gone: [/From four euros/],
  });
  await person.click('tab "Sender"', {
    shows: ['tab "Sender" [selected]', 'textbox "Name"'],
    gone: ['combobox "Size"'],
  });
  await person.type('textbox "Name"', "Ann", { shows: ['textbox "Name": Ann'] });
  await person.click('button "More"', { shows: ['menuitem "Track"', 'menuitem "Void"'] });
  await person.click('menuitem "Track"', {
    shows: [/track chosen/],
    gone: ['menuitem "Void"'],
    did: ["track chosen"],
  });
  await person.click('button "Ship"', { shows: ['dialog "Ship it?"', /huge, 7 kg, fast, from Ann/] });
  await person.click('button "No"', { gone: ['dialog "Ship it?"'] });
  await person.click('button "Ship"', { shows: ['dialog "Ship it?"', at("Ship it?", 'button "Yes"')] });
  await person.click('button "Yes"', {
    shows: [/shipped huge/],
    gone: ['dialog "Ship it?"'],
    did: ["shipped huge, 7 kg, fast, from Ann"],
  });
}
