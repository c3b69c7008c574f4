// Waits until the page differs from the delivered tree. It listens for events and never polls.

import { watchChanges } from "./changes.ts";
import type { PageContext } from "./page-context.ts";

/** Resolves to true when something may have changed since the snapshot, and to false after `timeMs`. */
export async function changed(context: PageContext, snapshot: number, timeMs: number): Promise<boolean> {
  const untilMs = performance.now() + timeMs;
  const changes = watchChanges(context, true);
  const news = !context.current.isUnchanged(context.snapshots.get(snapshot)) || (await changes.next(untilMs));
  changes.stop();
  return news;
}
