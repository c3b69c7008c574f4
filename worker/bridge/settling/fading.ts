// Parts that have faded out and are still there: pages remove them by a timer of their own, as long as the fade or longer.

import { checkVisibility, isConnected, styleOf, textContentOf } from "../dom/dom.ts";
import type { Changes } from "../incremental/changes.ts";

const REMOVED_MS_MAX = 300;

export interface Fading {
  /** An action begins. */
  begin(): void;
  /** These animations may fade something out. */
  note(animations: readonly Animation[]): void;
  /** Resolves when what they have faded out is gone, or was waited for in vain; false where there is nothing of that. */
  gone(changes: Changes, untilMs: number): Promise<boolean>;
}

export function createFading(): Fading {
  const animated = new Set<Element>();
  let isInVain = false;
  return {
    begin: () => animated.clear(),
    note(animations) {
      if (isInVain) return;
      for (const animation of animations) {
        const target = targetOf(animation);
        if (target !== null) animated.add(target);
      }
    },
    async gone(changes, untilMs) {
      let faded = [...animated].filter(isFaded);
      animated.clear();
      if (faded.length === 0) return false;
      const endMs = Math.min(untilMs, performance.now() + REMOVED_MS_MAX);
      while (faded.length > 0 && performance.now() < endMs) {
        await changes.next(endMs);
        faded = faded.filter(isFaded);
      }
      // A page that only hides its parts so does it each time.
      isInVain = faded.length > 0;
      return true;
    },
  };
}

function targetOf({ effect }: Animation): Element | null {
  return effect instanceof KeyframeEffect && effect.pseudoElement === null ? effect.target : null;
}

/** Whether the tree still tells what nobody sees any more. */
function isFaded(el: Element): boolean {
  return (
    isConnected(el) &&
    styleOf(el).opacity === "0" &&
    checkVisibility(el, { visibilityProperty: true }) &&
    (textContentOf(el) ?? "").trim() !== ""
  );
}
