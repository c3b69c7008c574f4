// Follows the rows that an overview has left unread. They can be read later as they were, unless something has changed
// them since.

import { TYING_ATTRIBUTES } from "../aria/label-ties.ts";
import { labelledControl } from "../aria/native-name.ts";
import { referencedBy } from "../aria/text-alternative.ts";
import { areaValueOf, inputValueOf } from "../aria/value.ts";
import {
  attr,
  byId,
  closest,
  hostOf,
  idOf,
  isElement,
  parentOf,
  queryAll,
  shadowRootOf,
  tagOf,
} from "../dom/dom.ts";
import { isSameList } from "../dom/is-same-list.ts";
import { createShadowWatch, isAssignedByHand, type ShadowWatch } from "../dom/shadow-watch.ts";
import { difference } from "../styles/style-state.ts";
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
  /** The text that each field holds. */
  values: Map<Element, string>;
  /** The elements in a list or shadow root that were in each of {@link STATES}. */
  states: { outer: Element | ShadowRoot; selector: string; matched: readonly Element[] }[];
  shadows: ShadowWatch;
  /** The elements that others name, with these. */
  named: Map<Element, readonly Element[]>;
}

/** Such an element may change without any sign. */
const RESTLESS = "object, embed, [popover], [popovertarget], [list], option:not(select option), [aria-owns]";

// To ask each element for its shadow root would cost more than the overview gains. Elements of these names are asked only
// if they show nothing of their own. All others are asked, custom elements among them.
const PLAIN =
  "div,span,li,a,td,p,b,i,button,input,label,tr,img,h2,h3,h4,ul,strong,em,small,svg,path,time,option,article,section";
const LIKELY_HOSTS = `:not(${PLAIN}), :is(div, span, p, section, article):empty`;
const NAMED = "[aria-labelledby], [aria-labeledby]";
const FIELDS = "input:not([type=checkbox i], [type=radio i]), textarea";
/** These show what controls hold, without a question to each of them. */
const STATES = [":checked", ":indeterminate", ":invalid", ":user-invalid"];

/**
 * Begins to follow the rows that a pass has left. `noteRoot` receives their shadow roots. The result is undefined if a
 * change of them could pass unnoticed.
 */
export function watchUnread(
  unread: readonly UnreadRows[],
  noteRoot: (root: ShadowRoot) => void,
): UnreadWatch | undefined {
  const followed = {
    values: new Map(),
    states: [],
    shadows: createShadowWatch(new WeakMap()),
    named: new Map(),
  };
  const rows = new Set<Node>(unreadIn(unread));
  for (const { frame } of unread) if (!followInside(frame.el, rows, followed, noteRoot)) return undefined;
  return {
    mayHaveChanged(records, restyled) {
      if (records === undefined || restyled === undefined) return true;
      return haveChangedSilently(followed, rows) || areTouched(unread, followed, records, restyled);
    },
  };
}

function* unreadIn(unread: readonly UnreadRows[]): Generator<Element> {
  for (const { elements, read } of unread)
    for (let at = read; at < elements.length; at++) yield elements[at] as Element;
}

/** Follows what `outer` holds in these rows. */
function followInside(
  outer: Element | ShadowRoot,
  rows: ReadonlySet<Node>,
  followed: Followed,
  noteRoot: (root: ShadowRoot) => void,
): boolean {
  if (queryAll(outer, RESTLESS).length > 0) return false;
  const { values, states, shadows, named } = followed;
  for (const el of queryAll(outer, FIELDS)) values.set(el, valueOf(el));
  for (const selector of STATES) states.push({ outer, selector, matched: [...queryAll(outer, selector)] });
  for (const el of queryAll(outer, NAMED)) if (isIn(el, rows)) named.set(el, referencedBy(el));
  for (const el of queryAll(outer, LIKELY_HOSTS)) {
    const root = shadowRootOf(el);
    if (root === null) shadows.note(el, tagOf(el));
    else if (isIn(el, rows)) {
      noteRoot(root);
      if (isAssignedByHand(root) || !followInside(root, rows, followed, noteRoot)) return false;
    }
  }
  return true;
}

function haveChangedSilently({ values, states, shadows, named }: Followed, rows: ReadonlySet<Node>): boolean {
  for (const [el, value] of values) if (valueOf(el) !== value && isIn(el, rows)) return true;
  for (const { outer, selector, matched } of states) {
    const now = queryAll(outer, selector);
    if (!isSameList(now, matched) && difference(matched, now).some((el) => isIn(el, rows))) return true;
  }
  if (shadows.anyNew()) return true;
  for (const [el, found] of named) if (!isSameList(referencedBy(el), found)) return true;
  return false;
}

const valueOf = (el: Element): string =>
  tagOf(el) === "textarea" ? areaValueOf(el as HTMLTextAreaElement) : inputValueOf(el as HTMLInputElement);

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
    if (type === "attributes" && (around.has(target) || TYING_ATTRIBUTES.has(attributeName))) return true;
    if ([...removedNodes].some((node) => nodes.has(node) || around.has(node))) return true;
    if (idsIn(record.addedNodes).some((id) => [...queryAll(document, `#${CSS.escape(id)}`)].some(inUnread)))
      return true;
    return labelsOf(record).some((label) => inUnread(labelledBy(label) ?? document));
  });
}

/** Returns the ids that these elements bring. A label belongs to the first element with its id. */
function idsIn(nodes: NodeList): string[] {
  return inAndBelow(nodes, "[id]")
    .map(idOf)
    .filter((id) => id !== "");
}

/** Returns the labels that a change came to, or that came or went with it. */
function labelsOf({ target, addedNodes, removedNodes }: MutationRecord): Element[] {
  const el = isElement(target) ? target : parentOf(target);
  const around = isElement(el) ? closest(el, "label") : null;
  const labels = inAndBelow([...addedNodes, ...removedNodes], "label");
  return [...(around === null ? [] : [around]), ...labels.filter((each) => tagOf(each) === "label")];
}

/** Returns the elements among these nodes, and those inside them that match. */
function inAndBelow(nodes: Iterable<Node>, selector: string): Element[] {
  return [...nodes].filter(isElement).flatMap((each) => [each, ...queryAll(each, selector)]);
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
