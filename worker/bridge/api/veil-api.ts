// Secrets that a page shows, as the worker covers them for a picture. Types alone.

/** A part of the shown text: from, to. */
export type ShownPart = readonly [from: number, to: number];

/** The text that a document shows, joined in its order; undefined if there is too much of it. */
export interface ShownText {
  text: string | undefined;
  /** All that was covered is still covered. */
  holds: boolean;
}
