// What a scenario of the chaos suite is.
import type { Figure } from "./figures.ts";

/** How far a scenario goes. */
export interface Extent {
  /** Of the soak. */
  minutes: number;
  /** Of workers, in a row. */
  kills: number;
  /** That rest and come back. */
  sessions: number;
  /** Where the fuzz begins. */
  seed: number;
  /** Inputs of the fuzz. */
  inputs: number;
  /** What the titles of parts must hold, where a scenario can be played in part. */
  part: string | undefined;
  /** Aborted where the program is told to end: daemons are then ended at once. */
  interrupted: AbortSignal;
  /** Tells how it goes on. */
  say: (line: string) => void;
}

/** Figures of one part of a scenario, or why it could not be played here. */
export type Part = { title: string } & ({ figures: Figure[] } | { skipped: string });

export interface Scenario {
  name: string;
  about: string;
  /** Tells each part when it is over. */
  play(extent: Extent): AsyncIterable<Part>;
}
