// Decides if the marks on changed elements are enough to find everything that the page's styles now show differently.
// It also finds the elements that rules reach without a mark.

import { animationsOf, isConnected, queryAll, type Root } from "../dom/dom.ts";
import { isSameList } from "../dom/is-same-list.ts";
import { affectsTree } from "./relevant-properties.ts";
import type { SheetEntry, StyleReader } from "./style-rules.ts";

export interface StyleState {
  /** Remembers the present state of the styles. */
  note(roots: readonly Root[]): void;
  /**
   * Reports if rules match the same elements as before, or if that could never be known. It serves a reader whose tree is
   * read again once styles move. For a reader who must be sure, {@link changed} is right.
   */
  isSameIfKnown(roots: readonly Root[]): boolean;
  /** Reports if the remembered state can be compared with later ones. */
  isKnown(): boolean;
  /** Returns the elements that rules match only now or only before. It returns undefined if that cannot be known. */
  changed(roots: readonly Root[]): Element[] | undefined;
}

interface RootState {
  entries: readonly SheetEntry[];
  wide: { selector: string; matched: Element[] }[];
}

/**
 * At most this many wide rules in all roots together, and this many roots, are followed. With more, the whole page is
 * read again.
 */
const WIDE_MAX = 40;
const ROOTS_MAX = 500;
const ANIMATIONS_MAX = 200;

export function createStyleState(styles: StyleReader): StyleState {
  let known = new Map<Root, RootState>();
  let media = new Map<string, boolean>();
  let isKnown = false;
  let wasMoving = false;
  const findChanged = (roots: readonly Root[]): Element[] | undefined => {
    if (!isKnown || wasMoving || isMoving()) return undefined;
    for (const [text, matched] of media) if (matchMedia(text).matches !== matched) return undefined;
    const changed: Element[] = [];
    for (const root of roots) {
      const state = known.get(root);
      // A root that is new since then is read whole when the walk meets it. Its rules are not known to be harmless.
      if (state === undefined || !isSameList(styles.entries(root), state.entries)) return undefined;
      for (const { selector, matched } of state.wide)
        changed.push(...difference(matched, queryAll(root, selector)));
    }
    return changed.filter(isConnected);
  };
  return {
    note(roots) {
      known = new Map();
      media = new Map();
      wasMoving = isMoving();
      isKnown = roots.length <= ROOTS_MAX;
      let followed = 0;
      for (const root of isKnown ? roots : []) {
        const entries = styles.entries(root);
        const selectors = entries.flatMap(({ reach }) => reach.wide);
        followed += selectors.length;
        if (followed > WIDE_MAX || entries.some(({ reach }) => reach.unknown)) isKnown = false;
        if (!isKnown) return;
        known.set(root, {
          entries,
          wide: selectors.map((selector) => ({ selector, matched: [...queryAll(root, selector)] })),
        });
        for (const text of entries.flatMap(({ reach }) => reach.media))
          media.set(text, matchMedia(text).matches);
      }
    },
    isSameIfKnown: (roots) => !isKnown || findChanged(roots)?.length === 0,
    isKnown: () => isKnown && !wasMoving,
    changed: findChanged,
  };
}

/** Returns the elements that are in one of the lists alone. */
export function difference(before: readonly Element[], after: NodeListOf<Element>): Element[] {
  if (isSameList(after, before)) return [];
  const now = new Set(after);
  const then = new Set(before);
  return [...before.filter((el) => !now.has(el)), ...[...after].filter((el) => !then.has(el))];
}

/** Reports if an animation or transition is running that could show or hide something. */
function isMoving(): boolean {
  const animations = animationsOf(document);
  if (animations.length > ANIMATIONS_MAX) return true;
  return animations.some(({ effect }) => {
    if (!(effect instanceof KeyframeEffect)) return true;
    return effect.getKeyframes().some(affectsTree);
  });
}
