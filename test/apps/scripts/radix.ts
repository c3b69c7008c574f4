// Chooses, switches, opens and deletes in Radix, whose parts come and go in animations.
import { at, type Person } from "../person.ts";

/** Announcements for screen readers disappear after a while. */
export const restless = /^status "Notification/;

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: ['tab "Look" [selected]', 'combobox "Theme": light', 'slider "Size"'] });
  await person.click('combobox "Theme"', { shows: ['option "light" [selected]', 'option "dark"'] });
  await person.click('option "dark"', {
    shows: ['combobox "Theme": dark', /theme dark/],
    gone: ['option "high contrast"'],
    did: ["theme dark"],
  });
  await person.choose('combobox "Theme"', ["high contrast"], {
    shows: ['combobox "Theme": high contrast', /theme high contrast/],
    did: ["theme high contrast"],
  });
  await person.click('button "Dismiss"', { gone: [/theme high contrast/, 'button "Dismiss"'] });
  await person.click('switch "Less motion"', {
    shows: ['switch "Less motion" [checked]'],
    did: ["motion true"],
  });
  await person.click('radio "narrow"', { shows: ['radio "narrow" [checked]'], did: ["density narrow"] });
  await person.click('slider "Size"', { shows: ['slider "Size" [active]'] });
  await person.press("ArrowRight", { shows: [/^slider "Size".*41/], did: ["size 41"] });
  await person.click('tab "Account"', {
    shows: ['tab "Account" [selected]', 'button "Delete account" [disabled]'],
    gone: ['combobox "Theme"'],
  });
  await person.click('button "More"', { shows: ['menuitem "Export profile"', 'menuitem "Share"'] });
  await person.click('menuitem "Share"', { shows: ['menuitem "By mail"'] });
  await person.click('menuitem "By mail"', {
    shows: [/shared by mail/],
    gone: ['menuitem "By mail"', 'menuitem "Export profile"'],
    did: ["shared by mail"],
  });
  await person.click('button "Help"', { shows: [/Ask an administrator/, 'button "Got it"'] });
  await person.click('button "Got it"', { gone: [/Ask an administrator/] });
  await person.click('button "Terms"', { shows: ['button "Terms" [expanded]', /You may leave at any time/] });
  await person.click('button "Terms"', {
    shows: ['button "Terms" [expanded=false]'],
    gone: [/You may leave/],
  });
  await person.click('checkbox "I am sure"', {
    shows: ['checkbox "I am sure" [checked]', 'button "Delete account"'],
  });
  await person.click('button "Delete account"', {
    shows: ['alertdialog "Delete it for ever?"', 'button "Delete it"'],
  });
  await person.press("Escape", {
    gone: ['alertdialog "Delete it for ever?"'],
    shows: ['button "Delete account"'],
  });
  await person.click('button "Delete account"', { shows: [at("Delete it for ever?", 'button "Delete it"')] });
  await person.click('button "Delete it"', {
    shows: [/account deleted/],
    gone: ['alertdialog "Delete it for ever?"'],
    did: ["account deleted"],
  });
}
