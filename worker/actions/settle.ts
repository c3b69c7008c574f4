// Decides when an action is over: what it began has ended and the page is quiet. This works by events, within bounds.
// The document's own part is in the bridge's reaction.ts, with the reasons for the whole model.

import { within } from "../../proto/machine/within.ts";
import { type Reaction, SETTLE_MS_MAX } from "../activity/reaction.ts";
import type { Reacted } from "../bridge/api/bridge-api.ts";
import { timeLeftMs } from "../core/time-left.ts";
import { arrivalMsMax, change, isArriving, NAVIGATION_MS_MAX, stopIfEndless } from "../tab/load.ts";
import type { Page } from "../tab/page.ts";
import { beginReactions, endReactions, reactions } from "./reactions.ts";

/** A page's worker that computes for longer is not waited for. */
const WORKER_MS_MAX = 1_000;
/** A message that follows an answered request comes within this time. */
const FOLLOWING_MS_MAX = 500;

/**
 * Begins to watch an action: whatever the page begins from now on may be its consequence. The caller disposes of it
 * with the reply. `resumes`: a dialog interrupted an action, which goes on.
 */
export function react(page: Page, { resumes = false } = {}): Reaction {
  const reaction = watched(page, resumes);
  beginReactions(page);
  return reaction;
}

/** Does the same as {@link react} for an action that leaves the shown document. */
export function watched(page: Page, resumes = false): Reaction {
  return page.tab.activity.react({ resumes, over: () => endReactions(page) });
}

/**
 * Resolves when nothing more is expected, a dialog is open, the tab is closed, or the time is up. The reply then names
 * what is still under way.
 */
export async function settled(page: Page, reaction: Reaction): Promise<void> {
  const { tab } = page;
  page.call.waitsFor = "the page to settle";
  let beganAtMs = performance.now();
  const leftMs = () => {
    const boundMs = isArriving(page) ? NAVIGATION_MS_MAX : SETTLE_MS_MAX;
    return Math.min(beganAtMs + boundMs - performance.now(), timeLeftMs(page.call, "settling"));
  };
  let isOver = false;
  while (!isOver && tab.isOpen && !tab.halt && leftMs() > 0) {
    isOver = await isSettled(page, reaction, leftMs);
    if (!(await decidedIn(page, reaction))) continue;
    // The action goes on from here.
    isOver = false;
    beganAtMs = performance.now();
  }
  const isInterrupted = !tab.isOpen || tab.halt !== undefined;
  tab.activity.settled(reaction, isOver ? "over" : isInterrupted ? "interrupted" : "out-of-time");
}

/** A later call goes on with the reaction if no decision comes in time. */
async function decidedIn(page: Page, reaction: Reaction): Promise<boolean> {
  try {
    return await decided(page);
  } catch (error) {
    page.tab.activity.settled(reaction, "interrupted");
    throw error;
  }
}

/**
 * Waits for a person's decision about what the call has led to. Returns false if nothing waits. The call ends with
 * APPROVAL_PENDING if no decision comes in time.
 */
export async function decided({ tab, call }: Page): Promise<boolean> {
  const waiting = tab.owner.waiting().find(({ cause }) => cause === call);
  if (!waiting || tab.halt) return false;
  call.waitsFor = "a person's decision";
  await within(call, waiting.over);
  return true;
}

/** Waits for one thing that is under way. Returns true if nothing was, and nothing began while the page was watched. */
async function isSettled(page: Page, reaction: Reaction, leftMs: () => number): Promise<boolean> {
  const { activity } = page.tab;
  const awaitedUntilMs = activity.awaitedUntilMs(reaction);
  if (isArriving(page)) {
    stopIfEndless(page, reaction);
    await change(page, Math.min(leftMs(), arrivalMsMax(page)));
    return false;
  }
  if (awaitedUntilMs !== undefined) {
    await change(page, Math.min(leftMs(), awaitedUntilMs - performance.now()));
    return false;
  }
  const { causes } = reaction;
  await workersIdle(page, leftMs());
  const reacted = await reactions(page, reaction, leftMs());
  const isMoving = () =>
    reaction.causes !== causes || isArriving(page) || activity.awaitedUntilMs(reaction) !== undefined;
  page.tab.unreported.note({
    filling: reacted?.isBusy === true,
    changingMs: reacted?.isChanging ? performance.now() - reaction.beganAtMs : undefined,
  });
  const { main } = page.tab.frames;
  // Chrome reports a tab's end later than its frame's. Asking again at once would keep that event from being heard.
  if (!reacted && !(main && page.tab.frames.has(main))) await change(page, leftMs());
  if (!reacted || isMoving()) return false;
  return !mayFollow(page, reaction, reacted) || !(await follows(page, reaction, leftMs()));
}

async function workersIdle(page: Page, timeMs: number): Promise<void> {
  const { activity, owner } = page.tab;
  const idle = [activity.workers, owner.sharedWorkers()]
    .filter((workers) => workers !== undefined)
    .filter((workers) => workers.size > 0)
    .map((workers) => workers.idle(Math.min(WORKER_MS_MAX, timeMs)));
  if (idle.length > 0) await page.during(Promise.all(idle), { haltInterrupts: false });
}

/** An answered request without a visible consequence may have its result come over an open stream. */
function mayFollow({ tab }: Page, reaction: Reaction, { news }: Pick<Reacted, "news">): boolean {
  return reaction.answers > 0 && !news && tab.activity.mayFollow(reaction);
}

/** Waits for a message. Returns true if one came. */
async function follows(page: Page, reaction: Reaction, timeMs: number): Promise<boolean> {
  const { activity } = page.tab;
  const { causes } = reaction;
  const untilMs = performance.now() + Math.min(timeMs, FOLLOWING_MS_MAX);
  while (page.tab.isOpen && !page.tab.halt && reaction.causes === causes && performance.now() < untilMs)
    await change(page, untilMs - performance.now());
  if (reaction.causes === causes) activity.didNotFollow();
  return reaction.causes !== causes;
}
