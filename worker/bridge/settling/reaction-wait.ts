// How long a page is waited for after something that it may answer with a change. What can be known to be under way
// (requests, messages, animations, frames) is waited for by itself; this is for what nothing tells of.
import type { Cause } from "../api/bridge-api.ts";

/** What is known of a page since the last cause. */
export interface Since {
  cause: Cause;
  /** No script of the page heard of it. */
  unheard: boolean;
  /** The document has changed. */
  mutated: boolean;
  /** The page shows something else than before. */
  news: boolean;
  /** The page has started timers since the action; when they end, and what they do, nothing tells. */
  timers: boolean;
}

/** In milliseconds: how long after the cause, with and without timers that the page has started. */
interface Waits {
  timers: number;
  none: number;
}

/**
 * A page that has shown nothing yet is waited for longest where it has set a timer: fields that filter while one types
 * wait up to 300 ms for the next key. After an answer a timer of the page may have to come round to pick it up.
 */
const WITHOUT_NEWS = {
  input: { timers: 500, none: 25 },
  answer: { timers: 250, none: 110 },
  // The answer of a service worker may be a kept one, which the fresh one follows.
  cache: { timers: 300, none: 300 },
  message: { timers: 250, none: 110 },
  // A page that has arrived may mount its parts a little later.
  arrival: { timers: 100, none: 10 },
} satisfies Record<Cause, Waits>;

const WITH_NEWS = {
  ...WITHOUT_NEWS,
  input: { timers: 250, none: 10 },
  answer: { timers: 60, none: 10 },
} satisfies Record<Cause, Waits>;

/** How long after the cause the page is waited for, in milliseconds. */
export function waitMs({ cause, unheard, mutated, news, timers }: Since): number {
  if (unheard) return 0;
  // Without timers, any change says that the page has dealt with the input.
  const hasAnswered = news || (mutated && !timers && cause === "input");
  const waits = (hasAnswered ? WITH_NEWS : WITHOUT_NEWS)[cause];
  return timers ? waits.timers : waits.none;
}
