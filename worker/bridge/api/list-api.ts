// Defines the worker's questions about the list of options that a control opens, and the bridge's answers.

import type { Described } from "./target-api.ts";

/**
 * `begin` notes what is shown before the list opens. `timeMs` bounds the wait for a list. With `fills`, the wait is for
 * the option in it. `seek` scrolls a long list to find the option.
 */
export interface ListAsked {
  label: string;
  timeMs: number;
  fills?: boolean;
  begin?: boolean;
  seek?: boolean;
}

export type ListShown =
  | { state: "unknown" }
  | {
      state: "none" | "shown";
      /** The labels that are known. */
      labels: string[];
      /** The requested option. */
      match?: ListOption;
      /** The page says that several options can be chosen. `chosen` has the ones that are. */
      several: boolean;
      chosen: ListOption[];
      /** The control is the list itself. */
      inline: boolean;
      /** The control says if its list is open. */
      expanded?: boolean;
      /** The text in the focused field that filters the list, or undefined if there is no such field. */
      typed?: string;
    };

export interface ListOption {
  label: string;
  element: Described;
  selected: boolean;
  disabled: boolean;
}
