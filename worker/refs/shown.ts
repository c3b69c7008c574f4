// Tracks how much of a tab's page the session has seen. This decides if the next snapshot shows the whole page or only
// its changes. A reader that lacks nothing gets nothing twice.

/** The state of what replies have shown. Each reply turns one state into the next. */
export interface Shown {
  /** The document whose tree was shown in full, as by a snapshot without arguments. */
  readonly loaderId: string | undefined;
  /** The last reply left out something that such a snapshot would hold. */
  readonly lacks: boolean;
  readonly last: "action" | "snapshot" | "changes";
  /** The last snapshot: its arguments, and the document that it showed whole. */
  readonly asked: { readonly key: string; readonly loaderId: string | undefined } | undefined;
}

export const NOTHING_SHOWN: Shown = {
  loaderId: undefined,
  lacks: false,
  last: "action",
  asked: undefined,
};

/** A requested snapshot. `key`: its arguments. `usual`: those of a snapshot without arguments. */
export interface Asking {
  loaderId: string;
  key: string;
  usual: string;
}

/**
 * Returns the state after an action's reply that showed a page. `lacks`: it left something out, because its budget is
 * smaller than a snapshot's. A snapshot right after it shows the whole page. After another action, only that action's
 * changes are shown.
 */
export function afterPage({ asked }: Shown, loaderId: string, lacks: boolean): Shown {
  return { loaderId, lacks, last: "action", asked };
}

/** Returns the state after an action's reply with changes. `lacks`: not all of them. */
export function afterAction({ loaderId, asked }: Shown, lacks: boolean): Shown {
  return { loaderId, lacks, last: "action", asked };
}

/** Returns the state after a snapshot: the whole page, a part of it, or its changes. */
export function afterSnapshot(
  shown: Shown,
  { loaderId, key, usual }: Asking,
  answer: "whole" | "part" | "changes",
): Shown {
  if (answer === "changes") return { ...shown, last: "changes" };
  const whole = answer === "whole" ? loaderId : undefined;
  return {
    loaderId: key === usual ? loaderId : shown.loaderId,
    lacks: false,
    last: "snapshot",
    asked: { key, loaderId: whole },
  };
}

/** Returns true if the session lacks nothing but later changes. */
export function knowsPage(shown: Shown, { loaderId, key, usual }: Asking): boolean {
  // A second snapshot without an action between them means that the reader may have lost the first.
  if (shown.lacks || shown.last === "changes") return false;
  if (shown.asked?.key === key && shown.asked.loaderId === loaderId) return true;
  // An action's reply shows changes relative to a snapshot without arguments.
  return shown.loaderId === loaderId && key === usual && shown.last === "action";
}
