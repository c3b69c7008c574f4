// How long a page is waited for after something that it may answer with a change. What can be known to be under way
// (requests, messages, animations, frames) is waited for by itself; this is for what nothing tells of.
import type { Cause } from "./api.ts";

/** What is known of a page since the last cause. */
export interface Since {
  cause: Cause;
  /** No script of the page heard of it. */
  unheard: boolean;
  /** The page shows something else than before. */
  news: boolean;
  /** The page has started timers since the action; when they end, and what they do, nothing tells. */
  timers: boolean;
}

/**
 * How long after the cause, in milliseconds. A page that has said nothing yet is waited for longest where it has set a
 * timer: fields that filter while one types wait up to 300 ms for the next key. After an answer, a page's own timer may
 * have to come round to pick it up. After a message over a socket another part of the answer may come, and after
 * an answer of a service worker, which may be a kept one, the fresh one. A page that has
 * arrived may mount its parts a little later.
 */
export function waitMs({ cause, unheard, news, timers }: Since): number {
  if (unheard) return 0;
  if (cause === "arrival") return timers ? 100 : 25;
  if (cause === "cache") return 300;
  if (cause === "message") return timers ? 250 : 110;
  if (cause === "answer") return news ? (timers ? 60 : 10) : timers ? 250 : 110;
  return news ? (timers ? 250 : 10) : timers ? 500 : 25;
}
