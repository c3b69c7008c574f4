// Reads the document in idle time, ahead of the first question for its tree.

import { whenIdle } from "../dom/own-timers.ts";
import type { Pass } from "../tree/walk.ts";

/** The rest of an idle period when the pass pauses. */
const IDLE_MS_LEFT = 1;

export interface AheadParts<P extends { pass: Pass }> {
  /** Returns a full pass that has just begun. */
  begun(): P;
  /** Returns false if the page may have changed since the pass began. */
  isSame(): boolean;
  /** Takes the pass when it is over. */
  over(full: P): void;
  /** Reads what the pass left for later, until `isDue` returns true. Returns true if there is nothing more to read. */
  readUnread(isDue: () => boolean): boolean;
}

export interface ReadAhead {
  /** Begins a pass, which goes on whenever the page is idle. A change of the page ends it without results. */
  begin(): void;
  /** Reads what a pass left for later, whenever the page is idle. */
  goOnLater(): void;
  /** Ends the pass. If it is wanted and the page is still the same, the rest is read at once. */
  end(isWanted: boolean): void;
}

export function createReadAhead<P extends { pass: Pass }>(parts: AheadParts<P>): ReadAhead {
  const { begun, isSame, over, readUnread } = parts;
  let full: P | undefined;
  let isWaiting = false;

  /** Returns true once the pass is over. */
  const advance = (isDue?: () => boolean): boolean => {
    if (full === undefined) return true;
    const holds = isSame();
    if (holds && !full.pass.goOn(isDue)) return false;
    if (holds) over(full);
    full = undefined;
    return true;
  };
  const goOn = (idle: IdleDeadline) => {
    isWaiting = false;
    const isDue = () => idle.timeRemaining() < IDLE_MS_LEFT;
    if (!advance(isDue) || !readUnread(isDue)) goOnLater();
  };
  const goOnLater = () => {
    if (isWaiting) return;
    isWaiting = true;
    whenIdle(goOn);
  };
  return {
    begin() {
      full ??= begun();
      goOnLater();
    },
    goOnLater,
    end(isWanted) {
      if (isWanted) advance();
      full = undefined;
    },
  };
}
