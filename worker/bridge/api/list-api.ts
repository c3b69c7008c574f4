// What the worker may ask of the list of options that a control opens, and what the bridge answers.

import type { Described } from "./described-api.ts";

/**
 * `begin`: notes what is shown before the list opens. `timeMs`: waits so long for a list; with `fills`, for the option in it.
 * `seek`: scrolls a long list for it.
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
      /** The option that was asked for. */
      match?: ListOption;
      /** The page says that several can be chosen; those that are. */
      several: boolean;
      chosen: ListOption[];
      /** The control is the list itself. */
      inline: boolean;
      /** The control says whether its list is open. */
      expanded?: boolean;
      /** What stands in the text field with the focus that filters the list; undefined where there is none. */
      typed?: string;
    };

export interface ListOption {
  label: string;
  element: Described;
  selected: boolean;
  disabled: boolean;
}
