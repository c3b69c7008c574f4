// Chrome's own counters of a page's process: they move with what no mutation and no event tells of.
import type { CDPSession } from "puppeteer-core";

export interface LookCounts {
  /** How often styles have been computed: moves with nearly all that changes a page's look without a mutation. */
  styleCount: number;
  /** How many listeners there are, and were that nothing has cleared away yet. */
  listenerCount: number;
}

/** What moves when a page may look or work otherwise. */
export async function lookCountsOf(client: CDPSession): Promise<LookCounts> {
  const read = await metrics(client);
  return { styleCount: read("RecalcStyleCount"), listenerCount: read("JSEventListeners") };
}

/** How long scripts have run, in seconds: where it has not moved, no script of the page has heard of anything. */
export async function scriptTimeOf(client: CDPSession): Promise<number> {
  return (await metrics(client))("ScriptDuration");
}

/** The session has the domain Performance enabled. */
async function metrics(client: CDPSession): Promise<(wanted: string) => number> {
  const { metrics } = await client.send("Performance.getMetrics");
  return (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}
