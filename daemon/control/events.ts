// What happens, told to whoever watches: each watcher as fast as he reads, within a bound.
import type { WatchEventsResponse } from "../../proto/gen/troupe.ts";

type Kind = Exclude<keyof WatchEventsResponse, "at">;
/** One thing that happened. */
export type DaemonEvent = { [K in Kind]: Pick<Required<WatchEventsResponse>, K> }[Kind];

/** Passes events on. */
export class Events {
  readonly #watchers = new Set<(event: DaemonEvent) => void>();

  publish(event: DaemonEvent): void {
    for (const watcher of this.#watchers) watcher(event);
  }

  /** Tells `watcher` until what is returned is called. */
  watch(watcher: (event: DaemonEvent) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}
