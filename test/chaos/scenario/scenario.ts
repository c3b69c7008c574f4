// Defines a scenario of the chaos suite.
import type { Figure } from "./figures.ts";

/** The extent of a scenario. */
export interface Extent {
  /** The minutes of the soak. */
  minutes: number;
  /** The number of workers that are killed in a row. */
  kills: number;
  /** The number of sessions that hibernate and come back. */
  sessions: number;
  /** The first seed of the fuzz. */
  seed: number;
  /** The number of the fuzz's inputs. */
  inputs: number;
  /** A text that the titles of parts must contain, if a scenario can be played in part. */
  part: string | undefined;
  /** Aborted when the program must end. Daemons then end at once. */
  interrupted: AbortSignal;
  /** Prints the progress. */
  say: (line: string) => void;
}

/** The figures of one part of a scenario, or the reason that it could not be played here. */
export type Part = { title: string } & ({ figures: Figure[] } | { skipped: string });

export interface Scenario {
  name: string;
  about: string;
  /** Yields each part when it is over. */
  play(extent: Extent): AsyncIterable<Part>;
}
