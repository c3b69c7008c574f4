// Chrome's own counters of a page's process: they move with what no mutation and no event tells of.
import type { CDPSession } from "puppeteer-core";

/** How often styles have been computed: moves with nearly all that changes a page's look without a mutation. */
export function styleCountOf(client: CDPSession): Promise<number> {
  return metric(client, "RecalcStyleCount");
}

/** How long scripts have run, in seconds: where it has not moved, no script of the page has heard of anything. */
export function scriptTimeOf(client: CDPSession): Promise<number> {
  return metric(client, "ScriptDuration");
}

/** The session has the domain Performance enabled. */
async function metric(client: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await client.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}
