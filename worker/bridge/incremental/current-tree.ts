// Keeps the document's current tree from pass to pass. Changed elements are marked, and only these are read again. If
// the extent of a change cannot be known, everything is.

import type { StyleMoved } from "../api/bridge-api.ts";
import { createLabelTies } from "../aria/label-ties.ts";
import { bodyOf, checkVisibility, ELEMENT, nodeTypeOf, type Root } from "../dom/dom.ts";
import type { RefStore } from "../dom/ref-store.ts";
import { createStyleState } from "../styles/style-state.ts";
import type { Item } from "../tree/item.ts";
import type { UnreadRows } from "../tree/long-list.ts";
import { readRows, type WalkContext } from "../tree/walk.ts";
import type { Marks } from "./dirty.ts";
import { anySilent, markChanges } from "./mark-changes.ts";
import { createMutations } from "./mutations.ts";
import {
  beginFullPass,
  type FullPass,
  type Known,
  laterContext,
  type PassParts,
  readAgain,
} from "./passes.ts";
import { createReadAhead } from "./read-ahead.ts";
import { watchUnread } from "./unread-watch.ts";

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
  /**
   * Does the same, but rows of long lists may stay unread in it. They are read in idle time, or with the next update.
   */
  overview(styleMoved: StyleMoved): Item;
  /** Reads the unread rows of an overview, before an action changes them. */
  finish(): void;
  /** Reports if the tree is an overview whose unread rows were never read as they were. No tree is compared with it. */
  isIncomparable(top: Item): boolean;
  /** Reports if this is still the tree, as far as the bridge knows. It computes styles. */
  isUnchanged(top: Item | undefined): boolean;
  /** Reports if there were mutations since the last pass. It returns true before the first pass. */
  mayHaveChanged(): boolean;
  /** Reports if there were mutations since the last pass, as far as they were watched. */
  hasMutations(): boolean;
  /** Watches a shadow root that was met. */
  watch(root: ShadowRoot): void;
  /** Returns at most `count` elements that may have a closed shadow root, each of them once. */
  likelyHosts(count: number): Element[];
  /** The number of such elements. */
  readonly likely: number;
}

export interface CurrentTreeParts extends PassParts {
  shadowRoots(): ShadowRoot[];
}

export function createCurrentTree(parts: CurrentTreeParts): CurrentTree {
  const { clicks, internals } = parts;
  const { known, mutations, ahead, incomparable, read, finish, readNow, isFollowed } = createReader(parts);

  /** A tree of which unread rows were read too late has one after it that can be compared. */
  const comparable = (of: Known): Item => {
    if (of.unread.length === 0 && incomparable.has(of.top)) of.top = { ...of.top };
    return of.top;
  };

  return {
    readAhead() {
      if (known() === undefined) ahead.begin();
    },
    finish,
    isIncomparable: (top) => incomparable.has(top),
    update(styleMoved) {
      const top = read(styleMoved, false);
      const now = known();
      if (now === undefined) return top;
      if (now.unread.length > 0) readNow();
      now.isOverview = false;
      return comparable(now);
    },
    overview(styleMoved) {
      const top = read(styleMoved, true);
      const now = known();
      if (now === undefined) return top;
      if (now.unread.length > 0) {
        // Rows that cannot be followed could never be read as they were.
        if (isFollowed(now)) {
          now.isOverview = true;
          ahead.goOnLater();
        } else readNow();
      }
      return comparable(now);
    },
    isUnchanged(top) {
      mutations.begin();
      flushStyle();
      const now = known();
      if (now === undefined || now.top !== top || now.isOverview) return false;
      if (mutations.any() || clicks.any() || internals.any()) return false;
      return !anySilent(now);
    },
    mayHaveChanged: () => known() === undefined || mutations.any(),
    hasMutations: () => mutations.any(),
    watch: (root) => mutations.watch(root),
    likelyHosts: (count) => known()?.shadows.takeLikely(count) ?? [],
    get likely() {
      return known()?.shadows.likely ?? 0;
    },
  };
}

/** Reads the document in passes, each of which goes on from the one before. */
function createReader(parts: CurrentTreeParts) {
  const { refs, styles, clicks, internals, shadowRoots } = parts;
  const styleState = createStyleState(styles);
  const labels = createLabelTies();
  const asked = new WeakMap<Element, boolean>();
  const rootsNow = (): Root[] => [document, ...shadowRoots()];
  const mutations = createMutations(rootsNow);
  let known: Known | undefined;
  const incomparable = new WeakSet<Item>();
  /** A pass without `styleMoved` found a change, which may have moved styles. */
  let movedBefore = false;

  const over = ({ pass, results }: FullPass): Item => {
    const watch = watched(pass.unread);
    const roots = rootsNow();
    known = { ...results(roots), watch };
    noteStyles(roots);
    return known.top;
  };

  // This notes shadow roots, so it comes before they are listed.
  const watched = (unread: readonly UnreadRows[]) =>
    unread.length === 0 ? undefined : watchUnread(unread, parts.noteRoot);

  const noteStyles = (roots: readonly Root[]) => {
    styleState.note(roots);
    labels.note(roots);
  };

  const readAll = (mayLeave: boolean): Item => {
    const full = beginFullPass(parts, asked, mayLeave);
    full.pass.goOn();
    return over(full);
  };

  // If the state of the styles is not known, the next pass reads all again once they have moved.
  const isSameSince = (roots: readonly Root[]) => !mutations.any() && styleState.isSameIfKnown(roots);

  let rootsAhead: readonly Root[] = [];
  /** Serves several idle periods, because the page stays the same. */
  let idle: WalkContext | undefined;
  const ahead = createReadAhead({
    begun() {
      mutations.begin();
      mutations.take();
      styles.renew();
      rootsAhead = rootsNow();
      styleState.note(rootsAhead);
      return beginFullPass(parts, asked, true);
    },
    isSame: () => isSameSince(rootsAhead),
    over,
    readUnread(isDue) {
      if (known === undefined || known.unread.length === 0 || !isSameSince([...known.roots])) return true;
      if (mayUnreadHaveChanged(known, [])) return true;
      idle ??= laterContext(parts, known);
      if (!readUnread(known, idle, isDue)) return false;
      idle = undefined;
      noteNewRoots(known);
      return true;
    },
  });

  const readMarked = (before: Known, marks: Marks, mayLeave: boolean): Item => {
    finish();
    const again = readAgain(parts, before, marks.dirty, mayLeave);
    const watch = watched(again.unread);
    const roots = rootsNow();
    known = { ...again, roots: new Set(roots), watch };
    styleState.note(roots);
    return known.top;
  };

  /** Notes the shadow roots that unread rows have brought. The page must be the same as when the others were noted. */
  const noteNewRoots = (of: Known) => {
    const roots = rootsNow();
    if (roots.length === of.roots.size || incomparable.has(of.top)) return;
    of.roots = new Set(roots);
    noteStyles(roots);
  };

  const readCurrent = (styleMoved: StyleMoved, mayLeave: boolean): Item => {
    // If styles have moved without a known reason, this look reads all anyway.
    ahead.end(styleMoved !== true);
    const records = mutations.take();
    idle = undefined;
    if (styleMoved) styles.renew();
    const before = known;
    if (before === undefined) return readAll(mayLeave);
    if (mayUnreadHaveChanged(before, records)) incomparable.add(before.top);
    const changed = records && { records, styleMoved, movedBefore, roots: rootsNow() };
    const marks = changed && markChanges(before, changed, { clicks, internals, labels, styleState });
    if (marks?.dirty.size === 0) return before.top;
    // Another overview costs less than the unread rows of this one.
    const isLeftAgain = mayLeave && before.unread.length > 0;
    if (isLeftAgain) incomparable.add(before.top);
    else if (before.isOverview && !incomparable.has(before.top)) finish();
    if (isLeftAgain || records === undefined || marks === undefined) return readAll(mayLeave);
    pruneRemoved(records, refs);
    return readMarked(before, marks, mayLeave);
  };

  const read = (styleMoved: StyleMoved, mayLeave: boolean): Item => {
    mutations.begin();
    flushStyle();
    const before = known?.top;
    const top = readCurrent(styleMoved, mayLeave);
    movedBefore = !styleMoved && (movedBefore || top !== before);
    return top;
  };

  const finish = () => {
    if (known === undefined || known.unread.length === 0) return;
    if (!incomparable.has(known.top) && mayUnreadHaveChanged(known, mutations.seen()))
      incomparable.add(known.top);
    readUnread(known, laterContext(parts, known));
  };

  /** Reports if an overview was delivered, and its unread rows may have changed since. */
  const mayUnreadHaveChanged = (
    { unread, watch, roots, isOverview }: Known,
    records: readonly MutationRecord[] | undefined,
  ): boolean => {
    if (!isOverview || unread.length === 0 || watch === undefined) return false;
    // The worker has reported elements without saying where they are.
    if (clicks.any() || internals.any()) return true;
    // An edited rule must not pass unnoticed.
    styles.renew();
    return watch.mayHaveChanged(records, styleState.changed([...roots]));
  };

  /** Reads the unread rows at once. */
  const readNow = () => {
    finish();
    if (known !== undefined) noteNewRoots(known);
  };

  return {
    known: () => known,
    mutations,
    ahead,
    incomparable: incomparable as Pick<WeakSet<Item>, "has">,
    read,
    finish,
    readNow,
    /** Reports if changes of the unread rows would be noticed. */
    isFollowed: ({ watch }: Known) => watch !== undefined && styleState.isKnown(),
  };
}

/** Reads unread rows, until all is read or `isDue` returns true. Returns true once all is read. */
function readUnread({ unread }: Known, context: WalkContext, isDue?: () => boolean): boolean {
  for (let rows = unread[0]; rows !== undefined; rows = unread[0]) {
    if (!readRows(rows, context, isDue)) return false;
    unread.shift();
  }
  return true;
}

function pruneRemoved(records: readonly MutationRecord[], refs: RefStore): void {
  for (const { removedNodes } of records)
    for (const node of removedNodes) if (nodeTypeOf(node) === ELEMENT) refs.pruneIn(node);
}

// Computes the styles of the whole document, without a layout.
function flushStyle(): void {
  const body = bodyOf(document);
  if (body !== null) checkVisibility(body);
}
