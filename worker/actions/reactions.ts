// Asks a page's documents for their reaction to an action. Besides the main one and the frame acted in, other frames
// may hear of it too.

import type { Reaction } from "../activity/reaction.ts";
import type { Reacted, ReactionOptions } from "../bridge/api/bridge-api.ts";
import { hearsTransitions } from "../outside/click-listeners.ts";
import { mayHaveRun } from "../outside/scripts.ts";
import type { Frame } from "../tab/frames/frame.ts";
import type { Page } from "../tab/page.ts";
import { whileThere } from "./while-there.ts";

/**
 * A frame without the action is waited for at most this long. If it has been late this often, it gets even less time.
 */
const ASIDE_MS_MAX = 1_000;
const LATE_TIMES = 2;
const LATE_MS_MAX = 100;
/** A frame that is blocked answers no later than this after its check. */
const ANSWER_MS_MAX = 150;
const FRAMES_MAX = 20;
/** If a frame settled this much later, the main document may have heard from it and is asked again. */
const LATER_MS_MIN = 20;
/** The part of the time that stays outside the bridge's own bound, for its answer. */
const KEPT_MS = 50;

/** Begins watching before an action. The pipe keeps the order, so the answers are not awaited. */
export function beginReactions(page: Page): void {
  if (page.tab.halt) return;
  // A frame that cannot be asked now is only watched later.
  for (const frame of [page.tab.frames.main, ...asideOf(page)])
    if (frame?.world) page.askInPassing(frame, "beginReaction").catch(() => undefined);
}

/** Ends the watch once the action has been reported: changes from now on are no consequence of it. */
export function endReactions(page: Page): void {
  const { tab } = page;
  if (!tab.isOpen || tab.halt) return;
  for (const frame of [tab.frames.main, ...asideOf(page)]) if (frame) page.takeBack(frame, "endReaction");
}

/**
 * Returns the reaction of the page's documents to the last cause. Returns undefined if the main document or the tab
 * went away, or a dialog came: then the caller checks again.
 */
export async function reactions(
  page: Page,
  reaction: Reaction,
  timeMs: number,
): Promise<Pick<Reacted, "news" | "isBusy" | "isChanging"> | undefined> {
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

/** `moreMs`: the time that an answer may take beyond the bridge's own bound. */
function reactedIn(
  page: Page,
  frame: Frame,
  reaction: Reaction,
  timeMs: number,
  moreMs = 0,
): Promise<Reacted | undefined> {
  const untilMs = performance.now() + timeMs;
  const ask = async () =>
    await page.askInPassing(frame, "reacted", {
      ...optionsOf(reaction, untilMs - performance.now() - KEPT_MS),
      hearsTransitions: frame.world?.heard?.transitions === true,
      isScripted: frame.world?.isScripted === true,
    });
  const asking = async () => {
    const reacted = await ask();
    const isEarly =
      (reacted.isColouring && (await hearsTransitions(page, frame))) ||
      (reacted.isScriptless && (await mayHaveRun(page, frame)));
    return isEarly ? await ask() : reacted;
  };
  return whileThere(page, asking, timeMs + moreMs);
}

/** Asks a frame without the action. It must not delay the action without a reason. */
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
  // Changes that go on in a frame without the action are not waited for.
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

/** Returns the frame of the element that was acted on, if that is not the main one. */
function ownFrame({ tab, located }: Page): Frame | undefined {
  const frame = located?.frame ? tab.frames.numbered(located.frame) : undefined;
  return frame && frame !== "gone" && frame.world ? frame : undefined;
}

/** Returns all child frames that can be asked. */
function asideOf({ tab }: Page): Frame[] {
  const able = tab.frames.children.filter(
    ({ world, silentLoaderId, loaderId }) => world && silentLoaderId !== loaderId,
  );
  return able.slice(0, FRAMES_MAX);
}
