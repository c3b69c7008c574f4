// Checks if frames have changed, before they are read. All frames of a process are asked at once, because Chrome counts
// computed styles per process.

import type { StyleMoved } from "../bridge/api/bridge-api.ts";
import { unlessGone } from "../core/gone.ts";
import type { SeenContent, SeenFrames } from "../refs/delivered.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";
import { lookCountsOf } from "../tab/page-metrics.ts";

/** The result of a change probe in one frame. */
export interface ChangeProbe {
  /** The frame's document, identified by the world of its bridge. */
  world: string | undefined;
  /** The bridge knows of no change since. */
  isUnchanged: boolean;
  /** Says if Chrome's count moved since the frame was last read. */
  styleMoved: StyleMoved;
  styleCount: number;
  /**
   * The number of listeners in its process, including removed ones before garbage collection. It moves with every
   * listener that comes or goes.
   */
  listenerCount: number;
  /** The number of its elements whose internals may have changed. */
  internals: number;
}

/**
 * Probes a frame, and the known frames of its process. The result lacks the frame if it has gone meanwhile. `sent`: called
 * once all questions are sent, so that others can follow in the same write.
 */
export async function probeChanges(
  page: Page,
  frame: Frame,
  since: SeenFrames | undefined,
  sent?: () => void,
): Promise<Map<Frame, ChangeProbe>> {
  await page.during(page.tab.frames.worldOf(frame, page.call.signal));
  const all = [page.main(), ...page.tab.frames.children].filter((each) => each.client === frame.client);
  const others = all.filter((each) => each !== frame && knownDocument(each, since));
  const frames = [frame, ...others];
  // All are sent at once: the count is asked for after the bridges have had styles computed.
  const asked = frames.map((each) =>
    page.askInPassing(each, "probe", knownDocument(each, since)?.snapshot ?? 0),
  );
  const counted = page.during(lookCountsOf(frame.client));
  sent?.();
  const [own, counts, ...theirs] = await Promise.all([asked[0], counted, ...asked.slice(1).map(unlessGone)]);
  const { styleCount } = counts;
  const answers = [own, ...theirs];
  const unchanged = answers.map((answer) => answer?.isUnchanged);
  // The bridges' own listeners are subtracted, except in frames that were not asked. If one of those is read, all
  // listeners are listed again.
  const listenerCount = answers.reduce(
    (left, answer) => left - (answer?.ownListeners ?? 0),
    counts.listenerCount,
  );
  const anyElsewhere =
    frames.some((_, index) => unchanged[index] === false) || all.some((each) => isOther(each, since));
  return new Map(
    frames.map((each, index) => {
      const isMoved = each.styleCount !== styleCount;
      const styleMoved = isMoved && unchanged[index] === true && anyElsewhere ? "elsewhere" : isMoved;
      const world = each.world?.uniqueId;
      const { isUnchanged = false, internals = 0 } = answers[index] ?? {};
      return [each, { world, isUnchanged, styleMoved, styleCount, listenerCount, internals }];
    }),
  );
}

/** Returns what was seen of the document that the frame shows now. */
export function knownDocument(frame: Frame, since: SeenFrames | undefined): SeenContent | undefined {
  const seen = since?.get(frame.id);
  return seen && "world" in seen && seen.world === frame.world?.uniqueId ? seen : undefined;
}

/** Returns true if the frame was seen with another document: laying out the new one moved the count. */
function isOther(frame: Frame, since: SeenFrames | undefined): boolean {
  const seen = since?.get(frame.id);
  return seen !== undefined && "world" in seen && knownDocument(frame, since) === undefined;
}
