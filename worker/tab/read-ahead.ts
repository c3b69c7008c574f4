// Has a new document read before anyone looks at it.
import { isGone } from "../core/gone.ts";
import { callBridge } from "./bridge-call.ts";
import { heardIn, listAhead } from "./frames/listeners.ts";
import { lookCountsOf } from "./page-metrics.ts";
import type { Tab } from "./tab.ts";

/**
 * Has the tab's document read in its idle time. A failure is recorded. All is sent at once, because a pipe keeps order:
 * the styles are computed, Chrome counts them, and then the bridge reads. The listeners are listed last.
 */
export async function readAhead({ frames, halt, lifecycle, failures }: Tab): Promise<void> {
  const { main } = frames;
  const world = main?.world;
  if (!main || !world || halt || lifecycle.isFrozen || main.styleCount !== undefined) return;
  try {
    // The document's object id is asked for first.
    heardIn(main);
    const [probed, { styleCount, listenerCount }] = await Promise.all([
      callBridge(main, world, "probe", [0]),
      lookCountsOf(main.client),
      callBridge(main, world, "readAhead", []),
    ]);
    if (main.world !== world) return;
    // A look that came between has its own count.
    main.styleCount ??= styleCount;
    await listAhead(main, listenerCount - (probed?.answer.ownListeners ?? 0));
  } catch (error) {
    if (!isGone(error)) failures.cleanup("read-ahead", error as Error);
  }
}
