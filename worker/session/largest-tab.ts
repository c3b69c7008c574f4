// Which tab holds the most memory, as its scripts' heap tells.
import type { Tab } from "../tab/tab.ts";
import type { Session } from "./session.ts";

/** A page that does not tell by then is taken for what Chrome knows of it anyway. */
const ANSWER_MS_MAX = 1_000;

/** The tab and its session; undefined where none is open. */
export async function largestTab(
  sessions: readonly Session[],
): Promise<{ session: Session; tab: Tab } | undefined> {
  const tabs = sessions.flatMap((session) => session.tabs.map((tab) => ({ session, tab })));
  const weighed = await Promise.all(
    tabs.map(async (each) => ({ ...each, bytes: await heapBytes(each.tab) })),
  );
  return weighed.sort((one, other) => other.bytes - one.bytes)[0];
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
