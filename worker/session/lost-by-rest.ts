// What a session would lose by being put to rest: all that its storage and its tabs' addresses do not bring back.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import { FrameTimeout, withinTime } from "../tab/frame-time.ts";
import { isGone } from "../tab/gone.ts";
import { isPlaying } from "../tab/playing.ts";
import type { Tab } from "../tab/tab.ts";
import { typedIn } from "./tab-record.ts";

/** A page that is slow to say whether it plays something does not play it well. */
const ASK_MS_MAX = 500;

/** Whose rest it would be. */
interface Resting {
  tabs: readonly Tab[];
  losses: { lostInput: SessionRecord["typed"] };
}

/** In words, by tab. */
export async function lostByRest({ tabs, losses }: Resting): Promise<SessionRecord["typed"]> {
  const lost = await Promise.all(tabs.map(lostWith));
  return [...losses.lostInput, ...lost.flat()];
}

/** Pages are about to stand still, and cannot be asked then. */
export async function notePlaying(tabs: readonly Tab[]): Promise<void> {
  await Promise.all(
    tabs.map(async (tab) => {
      tab.activity.wasPlaying = await playsSomething(tab);
    }),
  );
}

async function lostWith(tab: Tab): Promise<SessionRecord["typed"]> {
  const { id, ownDialog, activity } = tab;
  const things = [
    ...(ownDialog ? [`the open dialog (${ownDialog.type})`] : []),
    ...(activity.streams.areOpen ? ["the page's open connection (WebSocket or events)"] : []),
    ...((await playsSomething(tab)) ? ["a playing video or sound"] : []),
  ];
  return [...typedIn(tab), ...things.map((field) => ({ tab: id, field }))];
}

/** A page that stands still plays what it played before. */
async function playsSomething(tab: Tab): Promise<boolean> {
  if (tab.isFrozen || tab.dialog) return tab.activity.wasPlaying;
  try {
    return await withinTime(() => isPlaying(tab), ASK_MS_MAX);
  } catch (error) {
    if (!isGone(error) && !(error instanceof FrameTimeout)) throw error;
    return false;
  }
}
