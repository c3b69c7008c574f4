// How much of a tab's page the session has been shown, by which the next snapshot is answered with the whole or with
// what has changed alone. A reader that lacks nothing is told nothing twice.

/** What replies have shown. A state: each reply makes the next one of it. */
export interface Shown {
  /** The document whose tree was shown as a snapshot without arguments shows it. */
  readonly loaderId: string | undefined;
  /** The last reply left out what such a snapshot would hold. */
  readonly lacks: boolean;
  readonly last: "action" | "snapshot" | "changes";
  /** The last snapshot: its arguments, and the document of which it showed the whole. */
  readonly asked: { readonly key: string; readonly loaderId: string | undefined } | undefined;
}

export const NOTHING_SHOWN: Shown = {
  loaderId: undefined,
  lacks: false,
  last: "action",
  asked: undefined,
};

/** A snapshot that is asked for. `key`: its arguments; `usual`: those of a snapshot that gives none. */
export interface Asking {
  loaderId: string;
  key: string;
  usual: string;
}

/**
 * After an action's reply that showed a page, within `lacks` of what a snapshot may hold: who asks next asks for the rest,
 * as its budget was less. Who acts instead goes on with what it has, and is told about that alone.
 */
export function afterPage({ asked }: Shown, loaderId: string, lacks: boolean): Shown {
  return { loaderId, lacks, last: "action", asked };
}

/** After an action's reply that said what changed. `lacks`: not all of it. */
export function afterAction({ loaderId, asked }: Shown, lacks: boolean): Shown {
  return { loaderId, lacks, last: "action", asked };
}

/** After a snapshot: the whole of the page, a part of it, or what has changed. */
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

/** Whether what has changed is all that the session lacks. */
export function knowsPage(shown: Shown, { loaderId, key, usual }: Asking): boolean {
  // Asked twice with no action between: the reader may have lost what it was told.
  if (shown.lacks || shown.last === "changes") return false;
  if (shown.asked?.key === key && shown.asked.loaderId === loaderId) return true;
  // An action's reply is told against the page as a snapshot without arguments shows it.
  return shown.loaderId === loaderId && key === usual && shown.last === "action";
}
