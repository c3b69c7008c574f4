// Waits for a page's reaction to an action, until nothing more can be expected of the document.
// The model: an action is over when everything that is known to be under way has ended. The worker knows navigations,
// requests, messages over sockets, server-sent events, and busy workers. The document itself knows the rest: queued
// tasks and frames, finite animations, mutations. Nothing reports the effect of a timer, only that the page has started
// some. For timers and all other unreported work, `waitMs` limits the wait.

import { createScrolling } from "../actions/scrolling.ts";
import { nextFrame } from "../aim/stable.ts";
import type { Reacted, ReactionOptions } from "../api/bridge-api.ts";
import { createLearnedTimeout } from "../dom/learned-timeout.ts";
import { type Changes, watchChanges } from "../incremental/changes.ts";
import type { PageContext } from "../incremental/page-context.ts";
import { ended, finiteAnimations } from "./animations.ts";
import { createFading } from "./fading.ts";
import { looksBusy } from "./looks-busy.ts";
import { isNews } from "./news.ts";
import { createColours } from "./only-colours.ts";
import { createFrames, createIdles, createTimers } from "./page-timers.ts";
import { createPaintedFrames } from "./painted-frames.ts";
import { FRAMES, requested, turns } from "./queued-work.ts";
import { waitMs } from "./reaction-wait.ts";
import { isScriptless } from "./scriptless.ts";
import { createSteps } from "./steps.ts";
import { createVainAnimations } from "./vain-animations.ts";

/** Late mutations may come bit by bit. */
const AFTER_MUTATION_MS = 25;
/** A page that has arrived and says that it is still being filled gets a little more time. */
const BUSY_MS_MAX = 1_000;
/** A style sheet may end the busy look without a mutation. */
const BUSY_STEP_MS = 100;
/** The first change after an answer may come a little before the worker knows of the answer. */
const SLACK_MS = 20;

export interface ReactionWatch {
  /** Begins an action. */
  begin(): void;
  /** Resolves when nothing more can be expected in the document. */
  over(options: ReactionOptions): Promise<Reacted>;
  /** Ends the action, because its reply is complete. */
  end(): void;
}

export function createReaction(context: PageContext): ReactionWatch {
  const timers = createTimers();
  const frames = createFrames();
  const idles = createIdles();
  const started = [timers, frames, idles];
  const paintedFrames = createPaintedFrames();
  const steps = createSteps();
  // Mutations without a pause may be an effect that a script draws. After the first time, they count as the page's own.
  const mutating = createLearnedTimeout({ firstMs: 1_000, againMs: 300 });
  const moving = createLearnedTimeout({ firstMs: 2_000, againMs: 700 });
  const stepping = createLearnedTimeout({ firstMs: 10_000, againMs: 1_000 });
  const scrolling = createScrolling();
  const fading = createFading();
  const vain = createVainAnimations(timers.count);
  const colours = createColours();
  let changes: Changes | undefined;
  let newsAtMs = Number.NEGATIVE_INFINITY;
  let wasBusy = false;
  let isTold = false;

  const unwatch = () => {
    changes?.stop();
    changes = undefined;
  };
  const watch = (): Changes => {
    unwatch();
    isTold = false;
    newsAtMs = Number.NEGATIVE_INFINITY;
    changes = watchChanges(context, false, (records) => {
      if (isTold && steps.isKnown()) unwatch();
      vain.changed(records);
      if (!records.some(isNews)) return;
      newsAtMs = performance.now();
      steps.note();
    });
    return changes;
  };

  // Endless activity looks the same as a new page that still fills itself.
  let mayStep = false;
  const stepDueAtMs = () =>
    (mayStep ? steps.dueAtMs(timers.started() + frames.started()) : undefined) ?? Number.NEGATIVE_INFINITY;
  const isStepping = () => performance.now() < stepDueAtMs();

  /** Waits for finite animations and for scrolling. It returns false if nothing moves. */
  const moved = async (sinceMs: number): Promise<boolean> => {
    if (moving.isSpent()) return false;
    const animations = vain.awaited(colours.awaited(finiteAnimations(context.shadowRoots(), sinceMs)));
    if (animations.length > 0) {
      fading.note(animations);
      await ended(animations, moving.leftMs());
    } else if (!(await scrolling.ended(moving.leftMs()))) return false;
    // Their end may change more, also in the next frame, and before it is painted.
    await paintedFrames(1);
    mutating.begin();
    return true;
  };

  /** Waits until no change has come for a while after the last one, or until something scrolls. */
  const unchanged = async (
    watched: Changes,
    quietAtMs: () => number,
    untilMs: number,
    isBusy: () => boolean,
  ): Promise<void> => {
    let quietAt = quietAtMs();
    const goesOn = () =>
      performance.now() < untilMs && (!mutating.isSpent() || (isStepping() && !stepping.isSpent()));
    while (goesOn() && !scrolling.any() && (performance.now() < quietAt || isBusy())) {
      const isQuiet = performance.now() >= quietAt;
      if (await watched.next(Math.min(untilMs, isQuiet ? performance.now() + BUSY_STEP_MS : quietAt))) {
        await nextFrame();
        quietAt = Math.max(quietAtMs(), performance.now() + AFTER_MUTATION_MS);
      } else quietAt = Math.max(quietAt, quietAtMs());
    }
  };

  return {
    begin() {
      context.current.finish();
      watch();
      vain.begin();
      for (const each of [scrolling, steps, ...started, fading]) each.begin();
    },
    async over(options) {
      const { cause, unheard: wasUnheard, scrolls, sinceCauseMs, sinceActionMs, timeMs } = options;
      // All timers of a document that has just arrived count.
      const watched = changes ?? watch();
      isTold = false;
      scrolling.begin();
      vain.unclear();
      watched.extend();
      const calledAtMs = performance.now();
      const untilMs = calledAtMs + timeMs;
      const causedAtMs = calledAtMs - sinceCauseMs;
      steps.goOn(causedAtMs);
      const hasNews = () => newsAtMs >= causedAtMs - SLACK_MS;
      const actionMs = () => sinceActionMs + performance.now() - calledAtMs;
      await turns(untilMs);
      // A change that has come by now needs no time of its own.
      const mutated = watched.take();
      // A script may hear of the input in a task that comes after Chrome's count was read.
      const isInert = cause === "arrival" && options.isScripted !== true && isScriptless();
      const isSilent = wasUnheard || isInert;
      const unheard = isSilent && !mutated && started.every((each) => each.started() === 0);
      const hasTimers = () => !unheard && timers.started() > 0;
      colours.begin(options.hearsTransitions === true, () => unheard || hasNews());
      mayStep = cause !== "arrival" && !unheard;
      let endedAtMs = Number.NEGATIVE_INFINITY;
      const quietAtMs = () =>
        Math.max(
          causedAtMs + waitMs({ cause, unheard, mutated, news: hasNews(), timers: hasTimers() }),
          endedAtMs + AFTER_MUTATION_MS,
          stepping.isSpent() ? Number.NEGATIVE_INFINITY : stepDueAtMs(),
        );
      // News needs no frames, which would still run when the next action begins.
      const painted = unheard || hasNews() ? undefined : paintedFrames(FRAMES);
      await requested({ frames, idles, paintedFrames, scrolls, untilMs });
      moving.begin();
      mutating.begin();
      stepping.begin();
      // The input's first effects may come well before the input is known to be over.
      const mayBeBusy = () =>
        cause === "arrival" || (!wasBusy && newsAtMs > Number.NEGATIVE_INFINITY && hasTimers());
      const isBusy = () => performance.now() < calledAtMs + BUSY_MS_MAX && mayBeBusy() && looksBusy();
      // These may have ended before the page is quiet.
      if (hasTimers()) fading.note(finiteAnimations(context.shadowRoots(), actionMs()));
      await unchanged(watched, quietAtMs, untilMs, isBusy);
      // A smooth scroll begins with a frame, which may be late.
      if (!hasNews()) await painted;
      const faded = async () => hasTimers() && (await fading.gone(watched, untilMs));
      const isMoving = () => !mutating.isSpent() && performance.now() < untilMs;
      while (isMoving() && ((await moved(actionMs())) || (await faded()))) {
        endedAtMs = performance.now();
        await unchanged(watched, quietAtMs, untilMs, isBusy);
      }
      scrolling.over();
      wasBusy = mayBeBusy() && looksBusy();
      const isColouring = colours.areLeft();
      const isChanging = isStepping();
      const reacted = { news: hasNews(), isBusy: wasBusy, isChanging, isColouring, isScriptless: isInert };
      for (const each of [steps, ...started]) each.rest();
      return reacted;
    },
    end() {
      isTold = true;
      vain.learn();
    },
  };
}
