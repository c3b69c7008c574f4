// Waits for parts that have faded out but are still in the page. Pages remove them by their own timer, which takes as
// long as the fade or longer.

import { checkVisibility, isConnected, styleOf, textContentOf } from "../dom/dom.ts";
import type { Changes } from "../incremental/changes.ts";

const REMOVED_MS_MAX = 300;

export interface Fading {
  /** Begins an action. */
  begin(): void;
  /** Notes that these animations may fade something out. */
  note(animations: readonly Animation[]): void;
  /** Resolves when the faded parts are gone, or did not go in time. It resolves to false if there are none. */
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
      // A page that only hides its parts in this way does so each time.
      isInVain = faded.length > 0;
      return true;
    },
  };
}

function targetOf({ effect }: Animation): Element | null {
  return effect instanceof KeyframeEffect && effect.pseudoElement === null ? effect.target : null;
}

/** Reports if the tree still has the text of a part that is invisible to a person. */
function isFaded(el: Element): boolean {
  return (
    isConnected(el) &&
    styleOf(el).opacity === "0" &&
    checkVisibility(el, { visibilityProperty: true }) &&
    (textContentOf(el) ?? "").trim() !== ""
  );
}
