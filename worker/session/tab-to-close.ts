// Chooses the tab to close to free memory: one that holds much, and whose loss costs its session least.
import { within } from "../../proto/machine/within.ts";
import type { Tab } from "../tab/tab.ts";
import type { Session } from "./session.ts";

/** If a page answers later than this, only Chrome's own figure counts. */
const ANSWER_MS_MAX = 1_000;
/** A tab that holds less than this share of the largest is not worth closing. */
const SHARE_MIN = 1 / 3;

/** The gain and the loss of closing a tab. */
export interface Weight {
  /** The size that the page's script engine reports. */
  bytes: number;
  /** The tab's session has a call under way. */
  isBusy: boolean;
  /** The tab's fields hold typed text. */
  hasInput: boolean;
  /** The tab is its session's current one. */
  isCurrent: boolean;
}

/** Returns the tab and its session, or undefined if there is none. `sparing`: leave out tabs that hold typed text. */
export async function tabToClose(
  sessions: readonly Session[],
  sparing: boolean,
): Promise<{ session: Session; tab: Tab } | undefined> {
  // A warm session has no key yet.
  const owned = sessions.filter(({ key }) => key !== "");
  const tabs = owned.flatMap((session) => session.tabs.open.map((tab) => ({ session, tab })));
  const weighed = await Promise.all(
    tabs.map(async ({ session, tab }) => ({
      session,
      tab,
      bytes: await heapBytes(tab),
      isBusy: session.turns.areTaken,
      hasInput: tab.touched.names.length > 0,
      isCurrent: session.tabs.currentId === tab.id,
    })),
  );
  return leastCost(weighed.filter(({ tab, hasInput }) => tab.isOpen && !(sparing && hasInput)));
}

/** Takes the tabs that hold much. Among those whose loss costs least, it returns the largest. */
export function leastCost<T extends Weight>(tabs: readonly T[]): T | undefined {
  const largest = Math.max(...tabs.map(({ bytes }) => bytes));
  const worth = tabs.filter(({ bytes }) => bytes >= largest * SHARE_MIN);
  return worth.sort((one, other) => costOf(one) - costOf(other) || other.bytes - one.bytes)[0];
}

/** Breaking off a call costs most. Closing a page that is only read costs least. */
function costOf({ isBusy, hasInput, isCurrent }: Weight): number {
  return (isBusy ? 4 : 0) + (hasInput ? 2 : 0) + (isCurrent ? 1 : 0);
}

/** Returns the bytes that the page's scripts hold, buffers included. A tab that is closed meanwhile holds nothing. */
async function heapBytes({ client }: Tab): Promise<number> {
  const usage = client
    .send("Runtime.getHeapUsage")
    .then(
      ({ usedSize, embedderHeapUsedSize, backingStorageSize }) =>
        usedSize + embedderHeapUsedSize + backingStorageSize,
    );
  // This also works for a page that a script blocks.
  const known = client
    .send("Performance.getMetrics")
    .then(({ metrics }) => metrics.find(({ name }) => name === "JSHeapUsedSize")?.value);
  // A page that has gone holds nothing.
  const answers = [usage, known].map((asked) =>
    within({ timeMs: ANSWER_MS_MAX }, asked).catch(() => undefined),
  );
  return Math.max(...(await Promise.all(answers)).map((bytes) => bytes ?? 0));
}
