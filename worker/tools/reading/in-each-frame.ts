// Asks every frame of a page in turn. A child frame that hangs or goes away meanwhile is left out.
import { FrameTimeout, frameTimeMs, withinTime } from "../../core/frame-time.ts";
import { DocumentGone } from "../../core/gone.ts";
import type { Frame } from "../../tab/frames/frame.ts";
import type { Page } from "../../tab/page.ts";

/** Returns the names of the frames that did not answer in time. */
export async function inEachFrame(
  page: Page,
  ask: (frame: Frame) => Promise<void>,
): Promise<{ silent: string[] }> {
  const silent: string[] = [];
  await ask(page.main());
  for (const frame of page.tab.frames.children) {
    if (!frame.loaderId) {
      silent.push(`f${frame.number}`);
      continue;
    }
    try {
      await withinTime(() => ask(frame), frameTimeMs(page.call));
    } catch (error) {
      if (error instanceof FrameTimeout) silent.push(`f${frame.number}`);
      else if (!(error instanceof DocumentGone)) throw error;
    }
  }
  return { silent };
}
