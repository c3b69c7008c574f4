// Everything that no script of a document sees, asked of Chrome and handed to the document's bridge.
import type { Frame } from "../tab/frames.ts";
import type { Page } from "../tab/page.ts";
import { hearClicks } from "./click-listeners.ts";
import { readInternals } from "./internals.ts";

/** Chrome's counts for a document: each moves when there may be something new. */
export interface UnseenCounts {
  listenerCount: number;
  internals: number;
}

/** Hands listeners for clicks and ElementInternals to the bridge. True if the tree may be another one now. */
export async function readUnseen(
  page: Page,
  frame: Frame,
  { listenerCount, internals }: UnseenCounts,
): Promise<boolean> {
  const news = await Promise.all([
    hearClicks(page, frame, listenerCount),
    readInternals(page, frame, internals),
  ]);
  return news.includes(true);
}
