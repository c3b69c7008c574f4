// Waits for conditions that events report.
import { type EventEmitter, on } from "node:events";
import { watch } from "node:fs";

/** A busy machine may take so long for anything that takes moments. */
export const EVENT_MS_MAX = 30_000;

/**
 * Resolves with the first true value of `holds`, which is asked now and after each event. Rejects after `withinMs`, with
 * `what` in its message.
 */
export async function afterEvents<T>(
  source: EventEmitter,
  event: string,
  holds: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  withinMs = EVENT_MS_MAX,
): Promise<T> {
  const late = AbortSignal.timeout(withinMs);
  const events = on(source, event, { signal: late });
  try {
    for (;;) {
      const value = await holds();
      if (value) return value;
      await events.next();
    }
  } catch (error) {
    throw late.aborted ? new Error(`not within ${withinMs} ms: ${what}`) : error;
  } finally {
    await events.return?.();
  }
}

/** The same for the changes of files in a folder. */
export async function afterFileChanges<T>(
  folder: string,
  holds: () => T | undefined | false,
  what: string,
  withinMs?: number,
): Promise<T> {
  const watcher = watch(folder);
  try {
    return await afterEvents(watcher, "change", holds, what, withinMs);
  } finally {
    watcher.close();
  }
}
