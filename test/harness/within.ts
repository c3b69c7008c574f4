// Waits for conditions that no event reports, such as those of /proc. It checks them again and again for a bounded time.
import { setInterval } from "node:timers/promises";
import { EVENT_MS_MAX } from "./events/after-events.ts";

const CHECK_EVERY_MS = 20;

/** Returns true if `holds` came true in time. */
export async function within(ms: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  return (await found(ms, holds)) !== undefined;
}

/** Resolves with the first value of `holds` that is true. Rejects after `withinMs`. */
export async function until<T>(
  holds: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  withinMs = EVENT_MS_MAX,
): Promise<T> {
  const value = await found(withinMs, holds);
  if (value === undefined) throw new Error(`not within ${withinMs} ms: ${what}`);
  return value;
}

async function found<T>(
  ms: number,
  holds: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T | undefined> {
  const endMs = performance.now() + ms;
  for await (const _ of setInterval(CHECK_EVERY_MS)) {
    const value = await holds();
    if (value) return value;
    if (performance.now() > endMs) return undefined;
  }
}
