// The agents that have asked for a person, until one comes.
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Clock } from "../core/clock.ts";
import type { Place } from "./links.ts";

/** An agent whose request is older goes on without a person. */
export const ASKED_MS = 60 * 60_000;
/** So many agents are shown as waiting. The newest count. */
const ASKED_MAX = 1_000;

/** An agent that waits for a person. */
export interface Asked extends Place {
  /** The agent's own words. */
  why: string;
  sinceMs: number;
}

export class AskedPersons {
  readonly #clock: Pick<Clock, "now" | "steady">;
  readonly #asked = new Map<string, Asked & { endsAtMs: number }>();

  constructor(clock: Pick<Clock, "now" | "steady">) {
    this.#clock = clock;
  }

  /** Notes that the agent asks. An agent that asks again has waited since the first time. */
  add({ key, role }: Place, why: string): void {
    const id = idOf({ key, role });
    const sinceMs = this.#asked.get(id)?.sinceMs ?? this.#clock.now();
    const endsAtMs = this.#clock.steady() + ASKED_MS;
    keepNewest(this.#asked, id, { key, role, why, sinceMs, endsAtMs }, ASKED_MAX);
  }

  /** Notes that a person has come. */
  end(place: Place): void {
    this.#asked.delete(idOf(place));
  }

  /** Returns the agents that wait, if their sessions are still there. */
  list(isOpen: (place: Place) => boolean): Asked[] {
    const nowMs = this.#clock.steady();
    for (const [id, asked] of this.#asked)
      if (asked.endsAtMs <= nowMs || !isOpen(asked)) this.#asked.delete(id);
    return [...this.#asked.values()].map(({ endsAtMs: _endsAtMs, ...asked }) => asked);
  }
}

function idOf({ key, role }: Place): string {
  return JSON.stringify([key, role]);
}
