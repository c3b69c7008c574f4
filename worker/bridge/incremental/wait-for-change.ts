// Waiting for the page to be another than it was told: by its events, never by looking.

import { watchChanges } from "./changes.ts";
import type { PageContext } from "./page-context.ts";

/** Resolves true when something may have changed since the snapshot, false after `timeMs`. */
export async function changed(context: PageContext, snapshot: number, timeMs: number): Promise<boolean> {
  const untilMs = performance.now() + timeMs;
  const changes = watchChanges(context, true);
  const news = !context.current.isCalm(context.snapshots.get(snapshot)) || (await changes.next(untilMs));
  changes.stop();
  return news;
}
