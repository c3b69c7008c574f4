// Decides how long to wait for a page's reaction to a cause. Requests, messages, animations and frames are observed and
// awaited separately. This wait is for work that nothing reports.
import type { Cause } from "../api/bridge-api.ts";

/** Has what is known about a page since the last cause. */
export interface Since {
  cause: Cause;
  /** No script of the page received the input. */
  unheard: boolean;
  /** The document has changed. */
  mutated: boolean;
  /** The page shows something new. */
  news: boolean;
  /** The page has started timers since the action. Nothing reports when they end and what they do. */
  timers: boolean;
}

/** Has the times after the cause in milliseconds, with and without timers that the page has started. */
interface Waits {
  timers: number;
  none: number;
}

/**
 * The wait is longest for a page with a timer that has shown nothing yet. Fields that filter during typing wait up to
 * 300 ms for the next key. After an answer, a timer of the page may have to come round to pick it up.
 */
const WITHOUT_NEWS = {
  input: { timers: 500, none: 25 },
  answer: { timers: 250, none: 110 },
  // A service worker may answer from its cache first, and with the fresh answer afterwards.
  cache: { timers: 300, none: 300 },
  message: { timers: 250, none: 110 },
  // A page that has arrived may mount its parts a little later.
  arrival: { timers: 100, none: 10 },
} satisfies Record<Cause, Waits>;

const WITH_NEWS = {
  ...WITHOUT_NEWS,
  // Timers of 250 ms are common, and those that wait for an animation of 250 ms last a little longer.
  input: { timers: 300, none: 10 },
  answer: { timers: 60, none: 10 },
} satisfies Record<Cause, Waits>;

/** Returns how long to wait for the page after the cause, in milliseconds. */
export function waitMs({ cause, unheard, mutated, news, timers }: Since): number {
  if (unheard) return 0;
  // Without timers, any change shows that the page has handled the input.
  const hasAnswered = news || (mutated && !timers && cause === "input");
  const waits = (hasAnswered ? WITH_NEWS : WITHOUT_NEWS)[cause];
  return timers ? waits.timers : waits.none;
}
