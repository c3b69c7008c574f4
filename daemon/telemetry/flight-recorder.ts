// Keeps the newest failures with their plans, and passes each ended call on to those who watch. It holds no arguments.
import { type EndedCall, planOf } from "./ended-call.ts";
import type { EndedEpisode } from "./episodes.ts";

/** An episode with the session that it belongs to. */
export interface SessionEpisode extends EndedEpisode {
  client: string;
  session: string;
  atMs: number;
}

/** A call with the text of its error; empty without an error. */
export interface FlownCall extends EndedCall {
  plan: string;
}

/** Receives what happens, as it happens. */
export interface Flight {
  called(call: FlownCall): void;
  episodeEnded(episode: SessionEpisode): void;
}

const FAILURES_MAX = 200;
const EPISODES_MAX = 200;
/** A plan is cut beyond this. It quotes the page, which may be long. */
const PLAN_LENGTH_MAX = 8_000;

export class FlightRecorder {
  readonly #failures: FlownCall[] = [];
  readonly #episodes: SessionEpisode[] = [];
  readonly #watchers = new Set<Flight>();

  called(ended: EndedCall): void {
    if (!ended.failure && this.#watchers.size === 0) return;
    const call = { ...ended, plan: planOf(ended).slice(0, PLAN_LENGTH_MAX) };
    if (ended.failure) keep(this.#failures, call, FAILURES_MAX);
    for (const watcher of this.#watchers) watcher.called(call);
  }

  episodeEnded(episode: SessionEpisode): void {
    keep(this.#episodes, episode, EPISODES_MAX);
    for (const watcher of this.#watchers) watcher.episodeEnded(episode);
  }

  /** The newest failed calls, newest last. */
  get failures(): readonly FlownCall[] {
    return this.#failures;
  }

  /** The newest ended episodes, newest last. */
  get episodes(): readonly SessionEpisode[] {
    return this.#episodes;
  }

  /** Passes on what happens until the caller calls the returned function. */
  watch(watcher: Flight): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}

function keep<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}
