// Defines the answers about files that a page is given.

import type { Changed, Described, Missing } from "./target-api.ts";

/**
 * Says how files get to an element. "field" is a file field or its label; `several` and `folders` are what it takes.
 * "other" opens a chooser or takes drags, perhaps. `isPressed` means that it is a button or the like.
 */
export type FileTarget =
  | { state: "field"; element: Described; several: boolean; folders: boolean }
  | { state: "other"; element: Described; isPressed: boolean }
  | { state: "disabled"; element: Described }
  | Missing
  | Changed;

/** Says if the page takes what is dragged over it. */
export interface FileDragReport {
  isTaken: boolean;
}
