// Finds out if a part of the page is scrolling. Smooth scrolling goes on after the input that began it.

import { listen } from "../dom/listen.ts";
import { after } from "../dom/own-timers.ts";

export interface Scrolling {
  /** Begins to listen. */
  begin(): void;
  any(): boolean;
  /** Waits until scrolling ends or the time is over. It returns false if nothing scrolls. */
  ended(timeMs: number): Promise<boolean>;
  /** Stops listening. */
  over(): void;
}

export function createScrolling(): Scrolling {
  const moving = new Set<EventTarget>();
  let wake: (() => void) | undefined;
  let listening: AbortController | undefined;
  const note = ({ type, target }: Event) => {
    if (target === null) return;
    if (type === "scroll") moving.add(target);
    else moving.delete(target);
    if (moving.size === 0) wake?.();
  };
  return {
    begin() {
      if (listening) return;
      listening = new AbortController();
      const options = { capture: true, passive: true, signal: listening.signal };
      listen(window, "scroll", note, options);
      listen(window, "scrollend", note, options);
    },
    any: () => moving.size > 0,
    async ended(timeMs) {
      if (moving.size === 0) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = after(timeMs, resolve);
      wake = resolve;
      await promise;
      clearTimeout(timer);
      wake = undefined;
      moving.clear();
      return true;
    },
    over() {
      listening?.abort();
      listening = undefined;
      moving.clear();
    },
  };
}
