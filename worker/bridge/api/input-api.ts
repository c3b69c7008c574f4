// Defines the answers to typing, choosing and scrolling.

import type { Changed, Described, Point, Refusal } from "./target-api.ts";

/**
 * "text" is an input or textarea for typed text, and "rich" is contenteditable. "value" takes `setValue`, and "select"
 * takes `choose`. "options" opens a list that the page made itself, or is one.
 */
export type Edit =
  | {
      state: "ready";
      kind: "text" | "rich" | "value" | "select" | "options";
      /** The element opens a list of options that the page made itself. `search` means suggestions. */
      list?: "options" | "search";
      /**
       * The text goes on to an editor that the page draws itself. Only keys can select all of it there, as a person
       * does.
       */
      feeds?: true;
      /** A line break in the text begins another paragraph. */
      paragraphs?: true;
      element: Described;
      empty: boolean;
      /** The element got the focus in this call. Scripts of the page may have received that event. */
      focusMoved: boolean;
      /** The tree with the element since it has the focus, for `setValue` and `choose`. */
      seen?: number;
    }
  | { state: "nothing-focused" }
  /** The page moves the focus to another element, which would receive the typed text. */
  | { state: "focus-moved"; element: Described; to: Described }
  /** The focus is inside this iframe, so the worker asks the iframe's own bridge. */
  | { state: "in-frame"; ref: string }
  | Refusal;

export type SetValue =
  | { state: "ready" }
  | { state: "malformed"; expected: string }
  | { state: "unknown" }
  | Changed;

/** `focus-moved`: another element has the focus, which would get the secret. */
export type SecretTyped = { state: "ready" } | { state: "unknown" } | { state: "focus-moved" };

export type Choice =
  | { state: "ready"; chosen: string[] }
  /** `options` can be chosen. `disabled` means that the missing option exists but is disabled. */
  | { state: "no-option"; missing: string; options: string[]; disabled?: true }
  | { state: "not-multiple"; options: string[] }
  | { state: "not-select" }
  | { state: "unknown" }
  | Changed;

/** `amount` is in pixels. Without it, the region scrolls nearly as far as is in view. With 0, nothing moves. */
export interface ScrollAsked {
  direction: "up" | "down" | "left" | "right";
  amount?: number;
}

/** `element` is missing for the page itself. `leftPx` is the distance to the end in that direction. */
export type Scrolled =
  | { state: "ready"; element?: Described; movedPx: number; leftPx: number }
  | { state: "fixed"; point: Point }
  | { state: "unknown" };
