// What a page's documents make of an action: the main one, that which was acted on, and the others, which may hear of it too.

import type { Reaction } from "../activity/reaction.ts";
import type { Reacted, ReactionOptions } from "../bridge/api/bridge-api.ts";
import type { Frame } from "../tab/frames.ts";
import type { Page } from "../tab/page.ts";
import { whileThere } from "./while-there.ts";

/** A frame that nobody acted in is waited for no longer; one that did not answer in time so often, for less. */
const ASIDE_MS_MAX = 1_000;
const LATE_TIMES = 2;
const LATE_MS_MAX = 100;
/** A frame that is held up answers no later than it has looked around. */
const ANSWER_MS_MAX = 150;
const FRAMES_MAX = 20;
/** The main document may have heard from a frame that came to rest so much later. */
const LATER_MS_MIN = 20;
/** What the bridge's own bound leaves for its answer. */
const KEPT_MS = 50;

/** An action is about to begin. The pipe keeps the order, so nothing is waited for. */
export function beginReactions(page: Page): void {
  if (page.tab.dialog) return;
  // A page that cannot be asked is only watched from later on.
  for (const frame of [page.tab.frames.main, ...asideOf(page)])
    if (frame?.world) page.askInPassing(frame, "beginReaction").catch(() => undefined);
}

/** The action has been told: what its documents change from now on is no consequence, and they are watched no longer. */
export function endReactions(page: Page): void {
  const { tab } = page;
  if (!tab.isOpen || tab.dialog) return;
  for (const frame of [tab.frames.main, ...asideOf(page)]) if (frame) page.takeBack(frame, "endReaction");
}

/**
 * What came of the last cause in the page's documents. Undefined where the main document or the tab went away meanwhile,
 * or a dialog came: the caller looks again.
 */
export async function reactions(
  page: Page,
  reaction: Reaction,
  timeMs: number,
): Promise<Reacted | undefined> {
  const { main } = page.tab.frames;
  if (!main) return undefined;
  const untilMs = performance.now() + timeMs;
  const own = ownFrame(page);
  const others = asideOf(page).filter((frame) => frame !== own);
  const inMain = () => reactedIn(page, main, reaction, untilMs - performance.now());
  let mainAtMs = 0;
  const first = inMain().finally(() => {
    mainAtMs = performance.now();
  });
  const [asked, ...around] = await Promise.all([
    first,
    own && reactedIn(page, own, reaction, timeMs),
    ...others.map((frame) => reactedAside(page, frame, reaction, timeMs)),
  ]);
  if (!asked) return undefined;
  const isLater = around.some((each) => each?.news) && performance.now() - mainAtMs >= LATER_MS_MIN;
  const last = isLater ? await inMain() : asked;
  if (!last) return undefined;
  const all = [asked, last, ...around];
  return {
    news: all.some((each) => each?.news),
    isBusy: last.isBusy,
    isChanging: [last, ...around].some((each) => each?.isChanging),
  };
}

/** `moreMs`: what an answer may take beyond the bridge's own bound. */
function reactedIn(
  page: Page,
  frame: Frame,
  reaction: Reaction,
  timeMs: number,
  moreMs = 0,
): Promise<Reacted | undefined> {
  const asking = () => page.askInPassing(frame, "reacted", optionsOf(reaction, timeMs - KEPT_MS));
  return whileThere(page, asking, timeMs + moreMs);
}

/** A frame that nobody acted in holds the action no longer than it has a reason to. */
async function reactedAside(
  page: Page,
  frame: Frame,
  reaction: Reaction,
  timeMs: number,
): Promise<Reacted | undefined> {
  const { loaderId } = frame;
  if (frame.late.loaderId !== loaderId) frame.late = { loaderId, times: 0 };
  const { late } = frame;
  const boundMs = Math.min(timeMs, late.times >= LATE_TIMES ? LATE_MS_MAX : ASIDE_MS_MAX);
  const reacted = await reactedIn(page, frame, reaction, boundMs, ANSWER_MS_MAX);
  if (!reacted) late.times++;
  // What goes on in a frame that nobody acted in is no consequence that one waits for.
  return reacted && { ...reacted, isChanging: false };
}

function optionsOf(
  { cause, scrolls, unheard = false, causedAtMs, beganAtMs }: Reaction,
  timeMs: number,
): ReactionOptions {
  const nowMs = performance.now();
  return {
    cause,
    scrolls,
    unheard: unheard && cause === "input",
    sinceCauseMs: nowMs - causedAtMs,
    sinceActionMs: nowMs - beganAtMs,
    timeMs,
  };
}

/** The frame of the element that was acted on, where that is not the main one. */
function ownFrame({ tab, located }: Page): Frame | undefined {
  const frame = located?.frame ? tab.frames.numbered(located.frame) : undefined;
  return frame && frame !== "gone" && frame.world ? frame : undefined;
}

/** All frames but the main one that can be asked. */
function asideOf({ tab }: Page): Frame[] {
  const able = tab.frames.children.filter(
    ({ world, silentLoaderId, loaderId }) => world && silentLoaderId !== loaderId,
  );
  return able.slice(0, FRAMES_MAX);
}
