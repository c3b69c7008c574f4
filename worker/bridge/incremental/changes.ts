// Notices changes of the page by mutations of the document and of its known open shadow roots.

import { listen } from "../dom/listen.ts";
import { after } from "../dom/own-timers.ts";
import type { PageContext } from "./page-context.ts";

const WATCHED: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
};

/** These events change the page's look without a mutation. */
const EVENTS = [
  "input",
  "change",
  "toggle",
  "load",
  "transitionend",
  "animationend",
  "focusin",
  "resize",
  "scroll",
];

export interface Changes {
  /** Watches also the shadow roots that became known since. */
  extend(): void;
  /** Resolves to true at the first change since the last answer, and to false at `untilMs`. */
  next(untilMs: number): Promise<boolean>;
  /** Reports if there was a change since the last answer. Changes up to now are not reported again. */
  take(): boolean;
  stop(): void;
}

/**
 * Watches for mutations. With `withEvents`, it also watches for events, because a condition may change without a
 * mutation. `noted` receives the mutations as they come.
 */
export function watchChanges(
  context: PageContext,
  withEvents: boolean,
  noted?: (records: readonly MutationRecord[]) => void,
): Changes {
  const stopped = new AbortController();
  const watched = new Set<ShadowRoot>();
  let changed = false;
  let wake: (() => void) | undefined;
  const note = () => {
    changed = true;
    wake?.();
  };
  const observer = new MutationObserver((records) => {
    noted?.(records);
    note();
  });
  observer.observe(document, WATCHED);
  const extend = () => {
    for (const root of context.shadowRoots()) {
      if (!watched.has(root)) observer.observe(root, WATCHED);
      watched.add(root);
    }
  };
  extend();
  for (const event of withEvents ? EVENTS : []) {
    listen(window, event, note, { capture: true, passive: true, signal: stopped.signal });
  }
  const take = () => {
    const answer = changed;
    changed = false;
    return answer;
  };
  return {
    extend,
    take,
    async next(untilMs) {
      if (!changed) await wakened(untilMs, (resolve) => (wake = resolve));
      return take();
    },
    stop() {
      observer.disconnect();
      stopped.abort();
    },
  };
}

export async function changed(context: PageContext, snapshot: number, timeMs: number): Promise<boolean> {
  const untilMs = performance.now() + timeMs;
  const changes = watchChanges(context, true);
  const news = !context.current.isUnchanged(context.snapshots.get(snapshot)) || (await changes.next(untilMs));
  changes.stop();
  return news;
}

/** Resolves when `wake` is called, or at `untilMs`. */
function wakened(untilMs: number, onReady: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const deadline = after(untilMs - performance.now(), resolve);
    onReady(() => {
      clearTimeout(deadline);
      resolve();
    });
  });
}
