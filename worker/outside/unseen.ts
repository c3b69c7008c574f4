// Asks Chrome for everything that no script of a document sees, and hands it to the document's bridge.
import type { Frame } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";
import { hearClicks } from "./click-listeners.ts";
import { readInternals } from "./internals.ts";

/** Chrome's counts for a document. Each moves when there may be something new. */
export interface UnseenCounts {
  listenerCount: number;
  internals: number;
}

/** Hands click listeners and ElementInternals to the bridge. Returns true if that may change the tree. */
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
