// What a page makes of an action, until nothing more can be expected of the document.
//
// The model: an action is over when all that is known to be under way has ended. The worker knows of navigations, requests,
// messages over sockets and servers' events, and busy workers. The document itself knows the rest: queued tasks and frames,
// finite animations, mutations. Nothing tells what a timer will do, only that the page has started some. For these, and
// for what else nothing tells of, the page is waited for as `waitMs` says.
import { ended, finiteAnimations } from "./animations.ts";
import type { Reacted, ReactionOptions } from "./api.ts";
import { createBudget } from "./budget.ts";
import { type Changes, watchChanges } from "./changes.ts";
import { looksBusy } from "./looks-busy.ts";
import { isNews } from "./news.ts";
import { nextTurn } from "./next-turn.ts";
import type { PageContext } from "./page-context.ts";
import { createPageTimers } from "./page-timers.ts";
import { waitMs } from "./reaction-wait.ts";
import { createScrolling } from "./scrolling.ts";
import { nextFrame } from "./steady.ts";

/** Mutations that come late may come bit by bit. */
const AFTER_MUTATION_MS = 25;
/** A page that has arrived and says that it is not filled yet is waited for a little longer. */
const BUSY_MS_MAX = 1_000;
/** An answer's first change may come a little before the worker hears of the answer. */
const SLACK_MS = 20;
const TURNS = 2;
/** A page that asks for a frame may ask for another one in it, to be sure that the first was painted. */
const FRAMES = 2;

export interface ReactionWatch {
  /** An action is about to begin. */
  begin(): void;
  /** Resolves when nothing more can be expected in the document. */
  over(options: ReactionOptions): Promise<Reacted>;
}

export function createReaction(context: PageContext): ReactionWatch {
  const timers = createPageTimers();
  // Mutations without a pause may be an effect that a script draws; after the first time they are the page's own.
  const mutating = createBudget({ firstMs: 1_000, againMs: 300 });
  const moving = createBudget({ firstMs: 2_000, againMs: 700 });
  const scrolling = createScrolling();
  let changes: Changes | undefined;
  let newsAtMs = Number.NEGATIVE_INFINITY;

  const watch = (): Changes => {
    changes?.stop();
    newsAtMs = Number.NEGATIVE_INFINITY;
    changes = watchChanges(context, false, (records) => {
      if (records.some(isNews)) newsAtMs = performance.now();
    });
    return changes;
  };

  /** Waits for finite animations, and for what scrolls; false where nothing moves. */
  const moved = async (sinceMs: number): Promise<boolean> => {
    if (moving.isSpent()) return false;
    const animations = finiteAnimations(context.shadowRoots(), sinceMs);
    if (animations.length > 0) await ended(animations, moving.leftMs());
    else if (!(await scrolling.ended(moving.leftMs()))) return false;
    // What their end shows may change more before it is painted.
    await nextFrame();
    mutating.begin();
    return true;
  };

  /** Waits until no change has come for a while after the last one, or something scrolls. */
  const unchanged = async (watched: Changes, quietAtMs: () => number, busyUntilMs: number): Promise<void> => {
    let quietAt = quietAtMs();
    const isBusy = () => performance.now() < busyUntilMs && looksBusy();
    while (!mutating.isSpent() && !scrolling.any() && (performance.now() < quietAt || isBusy())) {
      const isQuiet = performance.now() >= quietAt;
      if (await watched.next(isQuiet ? busyUntilMs : quietAt)) {
        await nextFrame();
        quietAt = Math.max(quietAtMs(), performance.now() + AFTER_MUTATION_MS);
      } else quietAt = Math.max(quietAt, quietAtMs());
    }
  };

  return {
    begin() {
      watch();
      scrolling.begin();
      timers.begin();
    },
    async over({ cause, unheard, scrolls, sinceCauseMs, sinceActionMs }) {
      // Of a document that has just arrived, all timers count.
      const watched = changes ?? watch();
      scrolling.begin();
      watched.extend();
      const calledAtMs = performance.now();
      const causedAtMs = calledAtMs - sinceCauseMs;
      const hasNews = () => newsAtMs >= causedAtMs - SLACK_MS;
      const hasTimers = () => !unheard && timers.started();
      const actionMs = () => sinceActionMs + performance.now() - calledAtMs;
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
      // What has changed by now needs no time of its own.
      const mutated = watched.take();
      let endedAtMs = Number.NEGATIVE_INFINITY;
      const quietAtMs = () =>
        Math.max(
          causedAtMs + waitMs({ cause, unheard, mutated, news: hasNews(), timers: hasTimers() }),
          endedAtMs + AFTER_MUTATION_MS,
        );
      for (let n = 0; n < FRAMES && (scrolls || timers.isFrameAsked()); n++) await nextFrame();
      moving.begin();
      mutating.begin();
      const busyUntilMs = cause === "arrival" ? calledAtMs + BUSY_MS_MAX : calledAtMs;
      await unchanged(watched, quietAtMs, busyUntilMs);
      while (!mutating.isSpent() && (await moved(actionMs()))) {
        endedAtMs = performance.now();
        await unchanged(watched, quietAtMs, busyUntilMs);
      }
      scrolling.over();
      timers.rest();
      return { news: hasNews(), isBusy: cause === "arrival" && looksBusy() };
    },
  };
}
