// Which tab is closed to free memory: one that holds much, and whose loss costs its session least.
import type { Tab } from "../tab/tab.ts";
import type { Session } from "./session.ts";

/** A page that does not tell by then is taken for what Chrome knows of it anyway. */
const ANSWER_MS_MAX = 1_000;
/** A tab that holds less than this share of the largest is not worth closing. */
const SHARE_MIN = 1 / 3;

/** What closing a tab would free, and what would be lost. */
export interface Weight {
  /** As the page's scripts tell. */
  bytes: number;
  /** Its session has a call under way. */
  isBusy: boolean;
  /** Its fields hold what was typed. */
  hasInput: boolean;
  /** Its session's calls go to it. */
  isCurrent: boolean;
}

/** The tab and its session; undefined where there is none. `sparing`: none that holds what was typed. */
export async function tabToClose(
  sessions: readonly Session[],
  sparing: boolean,
): Promise<{ session: Session; tab: Tab } | undefined> {
  // One that is being prepared for whoever comes next has no key yet.
  const owned = sessions.filter(({ key }) => key !== "");
  const tabs = owned.flatMap((session) => session.tabs.map((tab) => ({ session, tab })));
  const weighed = await Promise.all(
    tabs.map(async ({ session, tab }) => ({
      session,
      tab,
      bytes: await heapBytes(tab),
      isBusy: session.turns.areTaken,
      hasInput: tab.typed.names.length > 0,
      isCurrent: session.currentId === tab.id,
    })),
  );
  return leastCost(weighed.filter(({ tab, hasInput }) => tab.isOpen && !(sparing && hasInput)));
}

/** Of the tabs that hold much, the largest of those whose loss costs least. */
export function leastCost<T extends Weight>(tabs: readonly T[]): T | undefined {
  const largest = Math.max(...tabs.map(({ bytes }) => bytes));
  const worth = tabs.filter(({ bytes }) => bytes >= largest * SHARE_MIN);
  return worth.sort((one, other) => costOf(one) - costOf(other) || other.bytes - one.bytes)[0];
}

/** A call that is broken off costs most; a page that is only looked at again costs least. */
function costOf({ isBusy, hasInput, isCurrent }: Weight): number {
  return (isBusy ? 4 : 0) + (hasInput ? 2 : 0) + (isCurrent ? 1 : 0);
}

/** What the page's scripts hold, buffers included. A tab that is closed meanwhile holds nothing. */
async function heapBytes({ client }: Tab): Promise<number> {
  const { promise: late, resolve } = Promise.withResolvers<number>();
  const timer = setTimeout(() => resolve(0), ANSWER_MS_MAX);
  const usage = client.send("Runtime.getHeapUsage").then(
    ({ usedSize, embedderHeapUsedSize, backingStorageSize }) =>
      usedSize + embedderHeapUsedSize + backingStorageSize,
    () => 0,
  );
  // Also of a page that a script holds.
  const known = client.send("Performance.getMetrics").then(
    ({ metrics }) => metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0,
    () => 0,
  );
  try {
    return Math.max(await Promise.race([usage, late]), await Promise.race([known, late]));
  } finally {
    clearTimeout(timer);
  }
}
