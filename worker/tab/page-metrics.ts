// Reads Chrome's own counters of a page's process. They also move with changes that have no mutation and no event.
import type { CDPSession } from "puppeteer-core";

export interface LookCounts {
  /** How often styles have been computed. It moves with nearly every visible change that has no mutation. */
  styleCount: number;
  /** The number of listeners, including removed ones before garbage collection. */
  listenerCount: number;
}

/** Returns the counts that move when a page may look or work differently. */
export async function lookCountsOf(client: CDPSession): Promise<LookCounts> {
  const read = await metrics(client);
  return { styleCount: read("RecalcStyleCount"), listenerCount: read("JSEventListeners") };
}

/** Returns how long scripts have run, in seconds. If it has not moved, no script of the page has had any event. */
export async function scriptTimeOf(client: CDPSession): Promise<number> {
  return (await metrics(client))("ScriptDuration");
}

/** Requires that the session has the domain Performance enabled. */
async function metrics(client: CDPSession): Promise<(wanted: string) => number> {
  const { metrics } = await client.send("Performance.getMetrics");
  return (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}
