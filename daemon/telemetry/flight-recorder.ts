// Keeps the newest failures with their plans, and passes each ended call on to those who watch. It holds no arguments.
import { copied } from "../../proto/text/quote.ts";
import { type EndedCall, type EndedFailure, planOf } from "./ended-call.ts";
import type { EndedEpisode } from "./episodes.ts";

/** An episode with the session that it belongs to. */
export interface SessionEpisode extends EndedEpisode {
  client: string;
  session: string;
  atMs: number;
}

/** A call with the text of its error; empty without an error. It refers to nothing of its request. */
export interface FlownCall extends Omit<EndedCall, "failure"> {
  failure?: Omit<EndedFailure, "plan">;
  plan: string;
}

/** Receives what happens, as it happens. */
export interface Flight {
  called(call: FlownCall): void;
  episodeEnded(episode: SessionEpisode): void;
}

const FAILURES_MAX = 200;
const EPISODES_MAX = 200;
/** Message and plan are cut beyond this. They quote the page and the call, which may be long. */
const TEXT_LENGTH_MAX = 8_000;

export class FlightRecorder {
  readonly #failures: FlownCall[] = [];
  readonly #episodes: SessionEpisode[] = [];
  readonly #watchers = new Set<Flight>();

  called(ended: EndedCall): void {
    if (!ended.failure && this.#watchers.size === 0) return;
    const call = flownCall(ended);
    if (call.failure) keep(this.#failures, call, FAILURES_MAX);
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

function flownCall(ended: EndedCall): FlownCall {
  const { failure, ...call } = ended;
  const plan = beginningOf(planOf(ended));
  if (!failure) return { ...call, plan };
  const { plan: _plan, message, ...others } = failure;
  return { ...call, failure: { ...others, message: beginningOf(message) }, plan };
}

function beginningOf(text: string): string {
  return copied(text.slice(0, TEXT_LENGTH_MAX));
}

function keep<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}
