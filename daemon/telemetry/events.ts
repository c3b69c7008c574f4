// Sends the daemon's events to all watchers.
import type { WatchEventsResponse } from "../../proto/gen/troupe.ts";

type Kind = Exclude<keyof WatchEventsResponse, "at">;
export type DaemonEvent = { [K in Kind]: Pick<Required<WatchEventsResponse>, K> }[Kind];

/** `client` owns the session that the event concerns; undefined if it concerns none. */
type Watcher = (event: DaemonEvent, client: string | undefined) => void;

export class Events {
  readonly #watchers = new Set<Watcher>();

  publish(event: DaemonEvent, client?: string): void {
    for (const watcher of this.#watchers) watcher(event, client);
  }

  /** Calls `watcher` for each event until the caller calls the returned function. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}
