// Keeps the document's current tree from pass to pass. Changed elements are marked, and only these are read again. If
// the extent of a change cannot be known, everything is.

import type { StyleMoved } from "../api/bridge-api.ts";
import type { ClickListeners } from "../aria/click-listeners.ts";
import { createControls } from "../aria/controls.ts";
import { createCrossTies } from "../aria/cross-ties.ts";
import type { Internals } from "../aria/internals.ts";
import { createLabelTies } from "../aria/label-ties.ts";
import { createPassCache } from "../aria/pass-cache.ts";
import { referencedBy } from "../aria/text-alternative.ts";
import {
  bodyOf,
  checkVisibility,
  ELEMENT,
  focusedElement,
  isConnected,
  nodeTypeOf,
  type Root,
  rootElementOf,
} from "../dom/dom.ts";
import { isSameList } from "../dom/is-same-list.ts";
import type { RefStore } from "../dom/ref-store.ts";
import { createShadowWatch } from "../dom/shadow-watch.ts";
import type { StyleReader } from "../styles/style-rules.ts";
import { createStyleState } from "../styles/style-state.ts";
import { topModal } from "../tree/hidden-part.ts";
import { type Item, newItem } from "../tree/item.ts";
import { createMemo, type Keeper } from "../tree/memo.ts";
import { createScrollers } from "../tree/scrollers.ts";
import { beginWalk, type Pass, walk } from "../tree/walk.ts";
import { createMarks, type Marks, markMutations } from "./dirty.ts";
import { type Mutations, watchMutations } from "./mutations.ts";
import { createReadAhead } from "./read-ahead.ts";

export interface CurrentTree {
  /**
   * Begins the first full pass, which goes on whenever the page is idle. A change of the page ends it. The first update
   * goes on from it.
   */
  readAhead(): void;
  /**
   * Returns the tree, as the same object as before if nothing changed. `styleMoved` is true if it is not known. It may
   * be false if moved styles do not matter yet: the next pass with `true` makes up for it.
   */
  update(styleMoved: StyleMoved): Item;
  /** Reports if this is still the tree, as far as the bridge knows. It computes styles. */
  isUnchanged(top: Item | undefined): boolean;
  /** Reports if there were mutations since the last pass. It returns true before the first pass. */
  mayHaveChanged(): boolean;
  /** Watches a shadow root that was met. */
  watch(root: ShadowRoot): void;
  /** Returns at most `count` elements that may have a closed shadow root, each of them once. */
  likelyHosts(count: number): Element[];
  /** The number of such elements. */
  readonly likely: number;
}

export interface CurrentTreeParts {
  refs: RefStore;
  styles: StyleReader;
  secrets: WeakSet<Element>;
  clicks: ClickListeners;
  internals: Internals;
  noteRoot(root: ShadowRoot): void;
  shadowRoots(): ShadowRoot[];
}

/** Has the results of one full pass. Later passes add to them. */
interface Known {
  top: Item;
  keeper: Keeper;
  links: ReturnType<typeof createCrossTies>;
  controls: ReturnType<typeof createControls>;
  scrollers: ReturnType<typeof createScrollers>;
  shadows: ReturnType<typeof createShadowWatch>;
  focused: Element | null;
  hasAwaited(): boolean;
  roots: ReadonlySet<Root>;
  /** Marks are never enough here: a modal dialog is open, or aria-owns moves elements. */
  isOdd: boolean;
}

export function createCurrentTree(parts: CurrentTreeParts): CurrentTree {
  const { refs, styles, secrets, clicks, internals, noteRoot, shadowRoots } = parts;
  const styleState = createStyleState(styles);
  const labels = createLabelTies();
  const asked = new WeakMap<Element, boolean>();
  const rootsNow = (): Root[] => [document, ...shadowRoots()];
  let mutations: Mutations | undefined;
  let known: Known | undefined;
  /** A pass without `styleMoved` found a change, which may have moved styles. */
  let movedBefore = false;

  const beginWatching = () => {
    if (mutations !== undefined) return;
    mutations = watchMutations(rootsNow);
    for (const root of rootsNow()) mutations.watch(root);
  };

  const begun = () => {
    refs.prune();
    clicks.take();
    internals.take();
    return beginFullPass(parts, asked);
  };

  const over = ({ results }: FullPass): Item => {
    const roots = rootsNow();
    known = results(roots);
    styleState.note(roots);
    labels.note(roots);
    return known.top;
  };

  const readAll = (): Item => {
    const full = begun();
    full.pass.goOn();
    return over(full);
  };

  let rootsAhead: readonly Root[] = [];
  const ahead = createReadAhead({
    begun() {
      beginWatching();
      mutations?.take();
      styles.renew();
      rootsAhead = rootsNow();
      styleState.note(rootsAhead);
      return begun();
    },
    // If the state of the styles is not known, a look reads all again once they have moved.
    isSame: () => !mutations?.any() && (!styleState.isKnown || styleState.changed(rootsAhead)?.length === 0),
    over,
  });

  const readMarked = (before: Known, marks: Marks): Item => {
    const { keeper, links, controls, scrollers, shadows } = before;
    const page = createPassCache({ styles, secrets, clicks, links, withoutOwners: before.roots });
    const memo = createMemo(keeper, marks.dirty);
    const root = rootElementOf(document) as Element;
    const top = walk(
      root,
      { survey: page, refs, noteRoot, memo, controls, scrollers, shadows, internals },
      false,
    );
    const roots = rootsNow();
    known = { ...before, top, focused: page.focused, roots: new Set(roots) };
    styleState.note(roots);
    return top;
  };

  /** Marks the elements that the worker reported. */
  const markHeard = (marks: Marks) => {
    for (const el of clicks.take()) marks.own(el);
    for (const el of internals.take()) marks.deep(el);
  };

  /** Returns the elements to read again, or undefined if that is all of them. */
  const marked = (
    before: Known,
    records: readonly MutationRecord[],
    styleMoved: StyleMoved,
  ): Marks | undefined => {
    const marks = createMarks(before.links);
    const roots = rootsNow();
    const sameRoots = roots.length === before.roots.size && roots.every((root) => before.roots.has(root));
    if (before.isOdd || !sameRoots || topModal() !== undefined) return undefined;
    if (!markMutations(records, marks) || isOwnedNow(before, records)) return undefined;
    markSilent(before, marks);
    markHeard(marks);
    if (records.some(mayTieLabels)) for (const el of labels.changed(roots)) marks.own(el);
    if (records.length === 0 && !styleMoved) return marks;
    const restyled = markRestyled(before, marks, roots);
    // Without any mark, the reason for moved styles is unknown.
    const isExplained = marks.dirty.size > 0 || styleMoved === "elsewhere" || movedBefore;
    return isExplained ? restyled : undefined;
  };

  const markRestyled = (before: Known, marks: Marks, roots: readonly Root[]): Marks | undefined => {
    const restyled = styleState.changed(roots);
    if (restyled === undefined || before.shadows.anyNew()) return undefined;
    for (const el of restyled) marks.deep(el);
    return marks;
  };

  const readCurrent = (styleMoved: StyleMoved): Item => {
    // If styles have moved without a known reason, this look reads all anyway.
    ahead.end(styleMoved !== true);
    const records = mutations?.take();
    if (styleMoved) styles.renew();
    if (known === undefined || records === undefined) return readAll();
    const before = known;
    const marks = marked(before, records, styleMoved);
    if (marks === undefined) return readAll();
    if (marks.dirty.size === 0) return before.top;
    for (const { removedNodes } of records) {
      for (const node of removedNodes) if (nodeTypeOf(node) === ELEMENT) refs.pruneIn(node);
    }
    return readMarked(before, marks);
  };

  return {
    readAhead() {
      if (known === undefined) ahead.begin();
    },
    update(styleMoved) {
      beginWatching();
      flushStyle();
      const before = known?.top;
      const top = readCurrent(styleMoved);
      movedBefore = !styleMoved && (movedBefore || top !== before);
      return top;
    },
    isUnchanged(top) {
      beginWatching();
      flushStyle();
      if (known === undefined || known.top !== top || mutations?.any() || clicks.any() || internals.any())
        return false;
      const marks = createMarks(known.links);
      markSilent(known, marks);
      return marks.dirty.size === 0;
    },
    mayHaveChanged: () => known === undefined || mutations?.any() !== false,
    watch: (root) => mutations?.watch(root),
    likelyHosts: (count) => known?.shadows.takeLikely(count) ?? [],
    get likely() {
      return known?.shadows.likely ?? 0;
    },
  };
}

/** A full pass, and its results once it is over. `roots`: the document and the shadow roots that it has met. */
interface FullPass {
  pass: Pass;
  results(roots: readonly Root[]): Known;
}

function beginFullPass(
  { refs, styles, secrets, clicks, internals, noteRoot }: CurrentTreeParts,
  asked: WeakMap<Element, boolean>,
): FullPass {
  const root = rootElementOf(document);
  const keeper: Keeper = new WeakMap();
  const links = createCrossTies();
  const controls = createControls();
  const scrollers = createScrollers();
  const shadows = createShadowWatch(asked);
  const page = createPassCache({ styles, secrets, clicks, links });
  const memo = createMemo(keeper, undefined);
  const context = { survey: page, refs, noteRoot, memo, controls, scrollers, shadows, internals };
  const pass =
    root === null
      ? { top: newItem(document as never, "", ""), goOn: () => true }
      : beginWalk(root, context, false);
  return {
    pass,
    results(roots) {
      const isOdd = root === null || topModal() !== undefined || roots.some((each) => page.hasOwners(each));
      const { focused, hasAwaited } = page;
      return {
        top: pass.top,
        keeper,
        links,
        controls,
        scrollers,
        shadows,
        focused,
        hasAwaited,
        roots: new Set(roots),
        isOdd,
      };
    },
  };
}

// Computes the styles of the whole document, without a layout.
function flushStyle(): void {
  const body = bodyOf(document);
  if (body !== null) checkVisibility(body);
}

/** Reports if an element has come whose id an aria-owns attribute already named. */
function isOwnedNow({ hasAwaited }: Known, records: readonly MutationRecord[]): boolean {
  return records.length > 0 && hasAwaited();
}

/** Reports if a label may now belong to another control. */
function mayTieLabels({ type, attributeName, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type === "attributes") return attributeName === "id" || attributeName === "for";
  return (
    type === "childList" && [...addedNodes, ...removedNodes].some((node) => nodeTypeOf(node) === ELEMENT)
  );
}

/** Marks elements that change without a mutation. */
function markSilent({ links, controls, scrollers, focused }: Known, marks: Marks): void {
  for (const el of controls.changed()) marks.own(el);
  for (const el of scrollers.changed()) marks.own(el);
  const focusedNow = focusedElement();
  if (focusedNow !== focused) {
    for (const el of [focused, focusedNow]) if (el !== null && isConnected(el)) marks.own(el);
  }
  for (const [el, deep] of links.restlessOnes()) deep ? marks.deep(el) : marks.own(el);
  for (const [el, { found, dependents }] of links.references()) {
    const now = referencedBy(el);
    if (isSameList(now, found)) continue;
    for (const dependent of dependents) if (isConnected(dependent)) marks.own(dependent);
  }
}
