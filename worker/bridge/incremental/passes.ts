// Begins the passes over a document, and has what each of them learns for those after it.

import type { ClickListeners } from "../aria/click-listeners.ts";
import { createControls } from "../aria/controls.ts";
import { createCrossTies } from "../aria/cross-ties.ts";
import type { Internals } from "../aria/internals.ts";
import { createPassCache, type PassCacheOptions } from "../aria/pass-cache.ts";
import { type Root, rootElementOf } from "../dom/dom.ts";
import type { RefStore } from "../dom/ref-store.ts";
import { createShadowWatch, isAssignedByHand } from "../dom/shadow-watch.ts";
import type { StyleReader } from "../styles/style-rules.ts";
import { topModal } from "../tree/hidden-part.ts";
import { type Item, newItem } from "../tree/item.ts";
import type { UnreadRows } from "../tree/long-list.ts";
import { createMemo, type Dirty, type Keeper } from "../tree/memo.ts";
import { createScrollers } from "../tree/scrollers.ts";
import { beginWalk, type Pass, type WalkContext } from "../tree/walk.ts";
import type { UnreadWatch } from "./unread-watch.ts";

export interface PassParts {
  refs: RefStore;
  styles: StyleReader;
  secrets: WeakSet<Element>;
  clicks: ClickListeners;
  internals: Internals;
  noteRoot(root: ShadowRoot): void;
}

/** Has what the passes note on their way. */
interface Learnt {
  keeper: Keeper;
  links: ReturnType<typeof createCrossTies>;
  controls: ReturnType<typeof createControls>;
  scrollers: ReturnType<typeof createScrollers>;
  shadows: ReturnType<typeof createShadowWatch>;
}

/** Has the results of one full pass. Later passes add to them. */
export interface Known extends Learnt {
  top: Item;
  focused: Element | null;
  hasAwaited(): boolean;
  roots: ReadonlySet<Root>;
  /** Marks are never enough here: a modal dialog is open, aria-owns moves elements, or scripts fill slots. */
  isOdd: boolean;
  /** The unread rows of each long list. */
  unread: UnreadRows[];
  /** Follows the unread rows. It is undefined if a change of them could pass unnoticed, or if there are none. */
  watch: UnreadWatch | undefined;
  /** An overview has shown the tree without its unread rows, and no update has shown it whole since. */
  isOverview: boolean;
}

/** A full pass, and its results once it is over. `roots`: the document and the shadow roots that it has met. */
export interface FullPass {
  pass: Pass;
  results(roots: readonly Root[]): Known;
}

/** Begins to read the whole document. With `mayLeave`, rows may stay unread. `asked`: as for the shadow watch. */
export function beginFullPass(
  parts: PassParts,
  asked: WeakMap<Element, boolean>,
  mayLeave: boolean,
): FullPass {
  const { refs, clicks, internals } = parts;
  // The pass reads everything, so nothing that was reported earlier is news after it.
  refs.prune();
  clicks.take();
  internals.take();
  const root = rootElementOf(document);
  const learnt = {
    keeper: new WeakMap() as Keeper,
    links: createCrossTies(),
    controls: createControls(),
    scrollers: createScrollers(),
    shadows: createShadowWatch(asked),
  };
  const context = contextOf(parts, learnt, {});
  const { survey } = context;
  const pass =
    root === null
      ? { top: newItem(document as never, "", ""), unread: [], goOn: () => true }
      : beginWalk(root, context, mayLeave);
  return {
    pass,
    results(roots) {
      const isOdd =
        root === null ||
        topModal() !== undefined ||
        roots.some((each) => survey.hasOwners(each) || isAssignedByHand(each));
      const { focused, hasAwaited } = survey;
      const { top, unread } = pass;
      return {
        ...learnt,
        top,
        focused,
        hasAwaited,
        roots: new Set(roots),
        isOdd,
        unread,
        watch: undefined,
        isOverview: false,
      };
    },
  };
}

/**
 * Returns what a pass over parts of the known tree needs. `dirty`: the elements whose kept nodes do not hold. Without it,
 * the pass adds to the tree.
 */
export function laterContext(parts: PassParts, known: Known, dirty?: Dirty): WalkContext {
  const { roots, isOdd, focused } = known;
  const about = { ...(dirty === undefined && { focused }), ...(!isOdd && { withoutOwners: roots }) };
  return contextOf(parts, known, about, dirty);
}

function contextOf(
  { refs, styles, secrets, clicks, internals, noteRoot }: PassParts,
  { keeper, links, controls, scrollers, shadows }: Learnt,
  about: Pick<PassCacheOptions, "focused" | "withoutOwners">,
  dirty?: Dirty,
): WalkContext {
  const survey = createPassCache({ styles, secrets, clicks, links, ...about });
  const memo = createMemo(keeper, dirty);
  return { survey, refs, noteRoot, memo, controls, scrollers, shadows, internals };
}

/** Reads the marked elements of the known tree again. With `mayLeave`, rows may stay unread. */
export function readAgain(parts: PassParts, before: Known, dirty: Dirty, mayLeave: boolean): Known {
  const context = laterContext(parts, before, dirty);
  const pass = beginWalk(rootElementOf(document) as Element, context, mayLeave);
  pass.goOn();
  const { top, unread } = pass;
  return { ...before, top, unread, watch: undefined, focused: context.survey.focused, isOverview: false };
}
