// How often Chrome has computed styles in a process's frames: the count moves with nearly all that no mutation tells of.
import type { CDPSession } from "puppeteer-core";

/** The count now. The session has the domain Performance enabled. */
export async function styleCountOf(client: CDPSession): Promise<number> {
  const { metrics } = await client.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "RecalcStyleCount")?.value ?? Number.NaN;
}
