// Writes a reply's lines on tabs that pages have opened.
import type { Profile } from "../../proto/tools/read-tools.ts";
import type { Tab } from "../tab/tab.ts";
import { pointer, tabPointer } from "./profile-words.ts";
import { shownUrl } from "./quote.ts";

/** New tabs beyond this number are counted, not listed. */
const LISTED_MAX = 5;

/** Writes a line for each new tab; if there are many, only for the newest. */
export function newTabLines(
  fresh: readonly Tab[],
  currentId: string | undefined,
  profile: Profile,
): string[] {
  const lines = fresh
    .slice(-LISTED_MAX)
    .map(
      ({ id, url }) =>
        `New tab: ${id} ${shownUrl(url)}${id === currentId ? " (current)" : ""}${tabPointer(profile)}`,
    );
  const more = fresh.length - lines.length;
  return more > 0
    ? [`${more} more new tabs${pointer(profile, "browser_tabs", "lists them")}`, ...lines]
    : lines;
}
