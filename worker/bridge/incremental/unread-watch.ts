// Follows the rows that an overview has left unread. They can be read later as they were, unless something has changed
// them since.

import { type Controls, createControls } from "../aria/controls.ts";
import { labelledControl } from "../aria/native-name.ts";
import { isReferring, referencedBy } from "../aria/text-alternative.ts";
import {
  attr,
  byId,
  closest,
  hasAttributes,
  hostOf,
  isElement,
  matches,
  parentOf,
  queryAll,
  shadowRootOf,
  tagOf,
} from "../dom/dom.ts";
import { isSameList } from "../dom/is-same-list.ts";
import { createShadowWatch, type ShadowWatch } from "../dom/shadow-watch.ts";
import type { UnreadRows } from "../tree/long-list.ts";

export interface UnreadWatch {
  /**
   * Reports if a change may have reached rows that are still unread. `records`: the changes since the rows were left.
   * Without them, there were too many. `restyled`: the elements that other rules match now. Without them, all may be.
   */
  mayHaveChanged(
    records: readonly MutationRecord[] | undefined,
    restyled: readonly Element[] | undefined,
  ): boolean;
}

/** Has what rows depend on, beside their own nodes. */
interface Followed {
  controls: Controls;
  shadows: ShadowWatch;
  /** The elements that others name, with these. */
  named: Map<Element, readonly Element[]>;
}

/** Such an element may change without any sign. */
const RESTLESS = "object, embed, [popover], [popovertarget], [list], option:not(select option), [aria-owns]";

/**
 * Begins to follow the rows that a pass has left. `noteRoot` receives their shadow roots. The result is undefined if a
 * change of them could pass unnoticed.
 */
export function watchUnread(
  unread: readonly UnreadRows[],
  noteRoot: (root: ShadowRoot) => void,
): UnreadWatch | undefined {
  const followed = {
    controls: createControls(),
    shadows: createShadowWatch(new WeakMap()),
    named: new Map(),
  };
  for (const row of unreadIn(unread)) {
    if (matches(row, RESTLESS)) return undefined;
    follow(row, followed);
    if (!followInside(row, followed, noteRoot)) return undefined;
  }
  return {
    mayHaveChanged(records, restyled) {
      if (records === undefined || restyled === undefined) return true;
      return haveChangedSilently(followed) || areTouched(unread, followed, records, restyled);
    },
  };
}

function* unreadIn(unread: readonly UnreadRows[]): Generator<Element> {
  for (const { elements, read } of unread)
    for (let at = read; at < elements.length; at++) yield elements[at] as Element;
}

function followInside(
  outer: Element | ShadowRoot,
  followed: Followed,
  noteRoot: (root: ShadowRoot) => void,
): boolean {
  if (queryAll(outer, RESTLESS).length > 0) return false;
  for (const el of queryAll(outer, "*")) {
    const root = follow(el, followed);
    if (root === null) continue;
    noteRoot(root);
    if (!followInside(root, followed, noteRoot)) return false;
  }
  return true;
}

/** Returns the element's shadow root, which has more to follow. */
function follow(el: Element, { controls, shadows, named }: Followed): ShadowRoot | null {
  const tag = tagOf(el);
  controls.note(el, tag);
  if (hasAttributes(el) && isReferring(el)) named.set(el, referencedBy(el));
  const root = shadowRootOf(el);
  if (root === null) shadows.note(el, tag);
  return root;
}

function haveChangedSilently({ controls, shadows, named }: Followed): boolean {
  if (controls.changed().length > 0 || shadows.anyNew()) return true;
  for (const [el, found] of named) if (!isSameList(referencedBy(el), found)) return true;
  return false;
}

function areTouched(
  unread: readonly UnreadRows[],
  { named }: Followed,
  records: readonly MutationRecord[],
  restyled: readonly Element[],
): boolean {
  if (records.length === 0 && restyled.length === 0) return false;
  const nodes = new Set<Node>(unreadIn(unread));
  const inUnread = (node: Node) => isIn(node, nodes);
  const around = new Set<Node>(unread.flatMap(({ path }) => path));
  // A text elsewhere may name a row's control.
  for (const names of named.values()) for (const name of names) nodes.add(name);
  if (restyled.some((el) => around.has(el) || inUnread(el))) return true;
  return records.some((record) => {
    const { type, target, attributeName, removedNodes } = record;
    if (inUnread(target)) return true;
    // An attribute of an element around a list may change how all of it is shown.
    if (type === "attributes" && (around.has(target) || attributeName === "for")) return true;
    if ([...removedNodes].some((node) => nodes.has(node) || around.has(node))) return true;
    return labelsOf(record).some((label) => inUnread(labelledBy(label) ?? document));
  });
}

/** Returns the labels that a change came to, or that came or went with it. */
function labelsOf({ target, addedNodes, removedNodes }: MutationRecord): Element[] {
  const el = isElement(target) ? target : parentOf(target);
  const around = isElement(el) ? closest(el, "label") : null;
  const moved = [...addedNodes, ...removedNodes].filter(isElement);
  const labels = moved.flatMap((each) => [each, ...queryAll(each, "label")]);
  return [...(around === null ? [] : [around]), ...labels.filter((each) => tagOf(each) === "label")];
}

/** A label that is gone names no control any more, so its attribute is asked. */
function labelledBy(label: Element): Element | null {
  const id = attr(label, "for");
  return labelledControl(label) ?? (id === null ? null : byId(document, id));
}

function isIn(node: Node, those: ReadonlySet<Node>): boolean {
  for (let at: Node | null = node; at !== null; at = outerOf(at)) if (those.has(at)) return true;
  return false;
}

const outerOf = (node: Node) => parentOf(node) ?? (node instanceof ShadowRoot ? hostOf(node) : null);
