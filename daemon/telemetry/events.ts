// Sends the daemon's events to all watchers.
import type { WatchEventsResponse } from "../../proto/gen/troupe.ts";

type Kind = Exclude<keyof WatchEventsResponse, "at">;
export type DaemonEvent = { [K in Kind]: Pick<Required<WatchEventsResponse>, K> }[Kind];

/** The client that owns the session that the event concerns, undefined if it concerns none; and the event's roles. */
export interface EventOwner {
  client: string | undefined;
  roles: readonly string[];
}

type Watcher = (event: DaemonEvent, owner: EventOwner) => void;

export class Events {
  readonly #watchers = new Set<Watcher>();

  publish(event: DaemonEvent, owner: EventOwner): void {
    for (const watcher of this.#watchers) watcher(event, owner);
  }

  /** Calls `watcher` for each event until the caller calls the returned function. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}
