// Whether frames are as they were, before they are read: asked of all frames of a process at once, as Chrome's count of
// computed styles is the process's.

import type { StyleMoved } from "../bridge/api/bridge-api.ts";
import { unlessGone } from "../core/gone.ts";
import type { SeenContent, SeenFrames } from "../refs/delivered.ts";
import type { Frame } from "../tab/frames.ts";
import type { Page } from "../tab/page.ts";
import { lookCountsOf } from "../tab/page-metrics.ts";

/** What was seen of a frame in passing. */
export interface ChangeProbe {
  /** Its document, by the world of the bridge in it. */
  world: string | undefined;
  /** Its bridge knows of no change since. */
  isCalm: boolean;
  /** Whether Chrome's count moved since the frame was last read. */
  styleMoved: StyleMoved;
  styleCount: number;
  /** How many listeners there are in its process, and were that nothing has cleared away yet: moves with every one that comes or goes. */
  listenerCount: number;
  /** How many of its elements have internals that may say something else by now. */
  internals: number;
}

/** Glances at a frame, and at those of its process that were seen before. Without the frame where it has gone meanwhile. */
export async function probeChanges(
  page: Page,
  frame: Frame,
  since: SeenFrames | undefined,
): Promise<Map<Frame, ChangeProbe>> {
  await page.during(page.tab.frames.worldOf(frame, page.call.signal));
  const all = [page.main(), ...page.tab.frames.children].filter((each) => each.client === frame.client);
  const others = all.filter((each) => each !== frame && knownDocument(each, since));
  const frames = [frame, ...others];
  // Sent at once: the count is asked for after the bridges have had styles computed.
  const asked = frames.map((each) =>
    page.askInPassing(each, "glance", knownDocument(each, since)?.snapshot ?? 0),
  );
  const counted = page.during(lookCountsOf(frame.client));
  const [own, counts, ...theirs] = await Promise.all([asked[0], counted, ...asked.slice(1).map(unlessGone)]);
  const { styleCount } = counts;
  const answers = [own, ...theirs];
  const calm = answers.map((answer) => answer?.isCalm);
  // The page's own, but for those of frames that were not asked: where one is read, all listeners are listed anew.
  const listenerCount = answers.reduce(
    (left, answer) => left - (answer?.ownListeners ?? 0),
    counts.listenerCount,
  );
  const anyElsewhere =
    frames.some((_, index) => calm[index] === false) || all.some((each) => isOther(each, since));
  return new Map(
    frames.map((each, index) => {
      const isMoved = each.styleCount !== styleCount;
      const styleMoved = isMoved && calm[index] === true && anyElsewhere ? "elsewhere" : isMoved;
      const world = each.world?.uniqueId;
      const { isCalm = false, internals = 0 } = answers[index] ?? {};
      return [each, { world, isCalm, styleMoved, styleCount, listenerCount, internals }];
    }),
  );
}

/** What was seen of the document that the frame shows now. */
export function knownDocument(frame: Frame, since: SeenFrames | undefined): SeenContent | undefined {
  const seen = since?.get(frame.id);
  return seen && "world" in seen && seen.world === frame.world?.uniqueId ? seen : undefined;
}

/** Whether the frame was seen with another document: laying out the new one moved the count. */
function isOther(frame: Frame, since: SeenFrames | undefined): boolean {
  const seen = since?.get(frame.id);
  return seen !== undefined && "world" in seen && knownDocument(frame, since) === undefined;
}
