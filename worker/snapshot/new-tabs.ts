// What a reply says of tabs that pages have opened.
import type { Profile } from "../../proto/tools/catalogue.ts";
import type { Tab } from "../tab/tab.ts";
import { pointer, tabPointer } from "./profile-words.ts";
import { shownUrl } from "./quote.ts";

/** New tabs beyond this are counted, not told. */
const TOLD_MAX = 5;

/** A line for each, the newest if they are many. */
export function newTabLines(
  fresh: readonly Tab[],
  currentId: string | undefined,
  profile: Profile,
): string[] {
  const lines = fresh
    .slice(-TOLD_MAX)
    .map(
      ({ id, url }) =>
        `New tab: ${id} ${shownUrl(url)}${id === currentId ? " (current)" : ""}${tabPointer(profile)}`,
    );
  const more = fresh.length - lines.length;
  return more > 0
    ? [`${more} more new tabs${pointer(profile, "browser_tabs", "lists them")}`, ...lines]
    : lines;
}
