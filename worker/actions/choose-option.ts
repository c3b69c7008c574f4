// Chooses in a list of options that the page draws itself, as a person does: open, search, click, close.
import { type ElementData, fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import type { ListAsked, ListOption, ListShown } from "../bridge/api/bridge-api.ts";
import { meetShown } from "../outside/internals.ts";
import { deliverElements } from "../snapshot/actionability-error.ts";
import type { Located, Page } from "../tab/page.ts";
import { clickOn } from "./aimed-click.ts";
import { orDetached } from "./element.ts";
import { insertText, parseKeys, pressKeys } from "./keyboard.ts";
import type { How } from "./mouse.ts";
import { optionNotFound } from "./option-not-found.ts";
import type { SendInput } from "./perform.ts";
import { react, settled } from "./settle.ts";

/** The worker waits this long for a list, because a timer may open it or an answer may fill it. */
const APPEARS_MS_MAX = 1_000;
const CLICK: How = { button: "left", count: 1, modifiers: 0 };

/** A control that opens a list, or is one. */
export interface Chooser {
  page: Page;
  at: Located;
  element: ElementData;
  send: SendInput;
}

type List = Exclude<ListShown, { state: "unknown" }>;

/** Chooses the options by label and returns their labels. Throws OPTION_NOT_FOUND with the labels that exist. */
export async function chooseFromList(chooser: Chooser, values: readonly string[]): Promise<string[]> {
  const labels: string[] = [];
  for (const value of values) {
    const list = await opened(chooser, value);
    const found = list.match ? list : await searched(chooser, value, list);
    const option = found.match;
    if (!option || option.disabled) throw await notFound(chooser, value, found, list.typed);
    if (!(option.selected && (found.several || found.inline))) await clickOption(chooser, option, value);
    labels.push(option.label);
  }
  await onlyThese(chooser, labels);
  await close(chooser);
  return labels;
}

/**
 * Clicks the option of that label in the list that typed text has opened. Returns undefined if there is no such option.
 */
export async function chooseTyped(chooser: Chooser, label: string): Promise<string | undefined> {
  await afterwards(chooser, async () => undefined);
  if (!isThere(chooser)) return undefined;
  const { match } = await ask(chooser, { label, timeMs: 0 });
  if (!match || match.disabled) return undefined;
  await clickOption(chooser, match, label);
  return match.label;
}

/** Notes what the page shows before a list opens. */
export async function beforeOpening(chooser: Chooser, label: string): Promise<List> {
  return await ask(chooser, { label, timeMs: 0, begin: true });
}

/** Opens the list if it is closed: by a click, or else by the key that opens most lists. */
async function opened(chooser: Chooser, label: string): Promise<List> {
  const { page, at, send } = chooser;
  const before = await beforeOpening(chooser, label);
  if (before.state === "shown" && before.expanded !== false) return before;
  await afterwards(chooser, () => clickOn(page, at.ref, CLICK, send));
  const clicked = await ask(chooser, { label, timeMs: 0 });
  // A control that still reports itself as closed did not take the click as an opening one.
  if (clicked.expanded !== false) {
    const later = await ask(chooser, { label, timeMs: APPEARS_MS_MAX });
    if (later.state === "shown" || later.expanded) return later;
  }
  await afterwards(chooser, () => press(chooser, "ArrowDown"));
  return await ask(chooser, { label, timeMs: APPEARS_MS_MAX });
}

/** Filters by the label if the list can be filtered, then searches all of it. */
async function searched(chooser: Chooser, label: string, list: List): Promise<List> {
  if (list.typed !== undefined) {
    await retype(chooser, label);
    const filtered = await ask(chooser, { label, timeMs: APPEARS_MS_MAX, fills: true });
    if (filtered.match) return filtered;
  }
  const sought = await ask(chooser, { label, timeMs: 0, seek: true });
  // The error lists the labels from before the filter, because they say more.
  return list.typed === undefined ? sought : { ...sought, labels: list.labels };
}

/** Deselects the options that were chosen before, if several can be chosen. */
async function onlyThese(chooser: Chooser, labels: readonly string[]): Promise<void> {
  const list = await ask(chooser, { label: "", timeMs: 0 });
  for (const option of list.chosen)
    if (!labels.includes(option.label)) await clickOption(chooser, option, option.label);
}

/** Presses Escape if the list reports that it is still open. */
async function close(chooser: Chooser): Promise<void> {
  const { expanded, inline } = await ask(chooser, { label: "", timeMs: 0 });
  if (expanded && !inline) await afterwards(chooser, () => press(chooser, "Escape"));
}

/** Clicks the option. Clicks once more if the page has rebuilt or removed its options meanwhile. */
async function clickOption(chooser: Chooser, option: ListOption, label: string): Promise<void> {
  try {
    await clickOnOption(chooser, option);
  } catch (error) {
    if (!isTroupeError(error) || !MADE_ANEW.has(error.type)) throw error;
    const { match } = await opened(chooser, label);
    if (!match) throw error;
    await clickOnOption(chooser, match);
  }
}

const MADE_ANEW: ReadonlySet<string> = new Set(["STALE_REF", "ELEMENT_NOT_VISIBLE", "ELEMENT_CHANGED"]);

async function clickOnOption(chooser: Chooser, { element }: ListOption): Promise<void> {
  const { page, send } = chooser;
  deliverElements(page, [element], "lines");
  await afterwards(chooser, () => clickOn(page, element.ref, CLICK, send));
}

/** Replaces the text in the field that filters the list. */
async function retype(chooser: Chooser, text: string): Promise<void> {
  const { page, at, send } = chooser;
  await page.ask(at.frame, "beginEdit", undefined);
  const typing = () => (text === "" ? pressKeys(page, parseKeys("Backspace")) : insertText(page, text));
  await afterwards(chooser, () => send(typing, { heard: true }));
}

async function press({ page, send }: Chooser, key: string): Promise<void> {
  await send(() => pressKeys(page, parseKeys(key)));
}

/** Acts, and waits until the action has settled. */
async function afterwards({ page }: Chooser, act: () => Promise<unknown>): Promise<void> {
  using reaction = react(page);
  await act();
  reaction.caused("input");
  await settled(page, reaction);
}

/** Closes the list and restores the text that the filter replaced. */
async function notFound(chooser: Chooser, missing: string, list: List, typed: string | undefined) {
  const { element } = chooser;
  if (typed !== undefined && list.typed !== typed) await retype(chooser, typed);
  await close(chooser);
  return optionNotFound(element, missing, list.labels, list.match?.disabled);
}

function isThere({ page, at }: Chooser): boolean {
  return page.tab.isOpen && !page.tab.halt && page.tab.frames.has(at.frame);
}

async function ask({ page, at }: Chooser, asked: ListAsked): Promise<List> {
  await orDetached(page, at, meetShown(page, at.frame));
  const list = await orDetached(page, at, page.ask(at.frame, "listOptions", at.ref, asked));
  if (list.state === "unknown") throw fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
  return list;
}
