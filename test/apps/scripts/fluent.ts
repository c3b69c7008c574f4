// Books a room in Fluent UI's web components.
import { at, type Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", {
    shows: ['heading "Book a room"', 'tab "When" [selected]', 'radio "One hour" [checked]', 'button "Book"'],
  });
  await person.click(/^combobox "Room"/, { shows: ['option "Attic"', 'option "Hall"'] });
  await person.click('option "Garden"', {
    shows: [/^combobox "Room".*Garden/],
    gone: ['option "Attic"'],
    did: ["room garden"],
  });
  await person.choose(/^combobox "Room"/, ["Hall"], {
    shows: [/^combobox "Room".*Hall/],
    did: ["room hall"],
  });
  await person.type('combobox "City"', "ber", {
    shows: ['option "Berlin"', 'option "Bergen"'],
  });
  await person.click('option "Berlin"', {
    shows: ['combobox "City": Berlin'],
    gone: ['option "Bergen"'],
    did: ["city Berlin"],
  });
  await person.type('spinbutton "Seats"', "8", { shows: ['spinbutton "Seats": 8'] });
  await person.click('radio "All day"', {
    shows: ['radio "All day" [checked]', 'radio "One hour"'],
    did: ["length day"],
  });
  await person.click('checkbox "Coffee"', { shows: ['checkbox "Coffee" [checked]'], did: ["coffee true"] });
  await person.click('switch "Every week"', {
    shows: ['switch "Every week" [checked]'],
    did: ["weekly true"],
  });
  await person.click('slider "Heating"', { shows: ['slider "Heating" [active]'] });
  await person.press("ArrowRight", { shows: ['slider "Heating": 6'], did: ["heating 6"] });
  await person.click('button "Rules"', { shows: ['button "Rules" [expanded]', /Leave it as you found it/] });
  await person.click('button "Rules"', {
    shows: ['button "Rules" [expanded=false]'],
    gone: [/Leave it as you found it/],
  });
  await person.click('button "Mute"', { shows: ['button "Mute" [pressed]'], did: ["mute pressed"] });
  await person.click('button "Book"', { shows: [/A booking needs a name/] });
  await person.click('button "Dismiss"', { gone: [/A booking needs a name/] });
  await menuAndDrawer(person);
  await person.click(at("garden", 'button "Cancel"'), {
    gone: [at("garden", 'button "Cancel"')],
    did: ["cancelled garden"],
  });
  await person.click('tab "Who"', {
    shows: ['tab "Who" [selected]', 'textbox "Name"', 'treeitem "Sales"'],
    gone: ['checkbox "Coffee"'],
  });
  await person.type('textbox "Name"', "Ann", { shows: ['textbox "Name": Ann'] });
  await person.type('textbox "Wishes"', "Two lamps", { shows: ['textbox "Wishes": Two lamps'] });
  await person.click('treeitem "Design"', { shows: ['treeitem "Cy"'] });
  await person.click('treeitem "Cy"', { shows: ['treeitem "Cy" [selected]'] });
  await person.click('button "Book"', {
    shows: ['dialog "Book it?"', /hall in Berlin, 8 seats, for Ann/],
  });
  await person.click('button "No"', { gone: ['dialog "Book it?"'] });
  await person.click('button "Book"', { shows: ['dialog "Book it?"', 'button "Yes"'] });
  await person.click('button "Yes"', {
    shows: [/booked hall in Berlin/, at("hall", 'button "Cancel"')],
    gone: ['dialog "Book it?"'],
    did: ["booked hall in Berlin, 8 seats, for Ann"],
  });
}

/** A menu stays open after one of its items is ticked. */
async function menuAndDrawer(person: Person): Promise<void> {
  await person.click('button "More"', { shows: ['menuitem "Copy"', 'menuitemcheckbox "Pin"'] });
  await person.click('menuitemcheckbox "Pin"', {
    shows: ['menuitemcheckbox "Pin" [checked]', /pinned/],
    did: ["pinned"],
  });
  await person.click('menuitem "Help"', {
    shows: ['dialog "Help"', /Ask at the desk/],
    gone: ['menuitem "Copy"'],
    did: ["help"],
  });
  await person.click('button "Close"', { gone: ['dialog "Help"', /Ask at the desk/] });
}
