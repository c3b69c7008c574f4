// What happens, told to whoever watches: each watcher as fast as he reads, within a bound.
import type { WatchEventsResponse } from "../../proto/gen/troupe.ts";

type Kind = Exclude<keyof WatchEventsResponse, "at">;
/** One thing that happened. */
export type DaemonEvent = { [K in Kind]: Pick<Required<WatchEventsResponse>, K> }[Kind];

/** `client`: whose it is, where it is about one session. */
type Watcher = (event: DaemonEvent, client: string | undefined) => void;

/** Passes events on. */
export class Events {
  readonly #watchers = new Set<Watcher>();

  publish(event: DaemonEvent, client?: string): void {
    for (const watcher of this.#watchers) watcher(event, client);
  }

  /** Tells `watcher` until what is returned is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}
