// What one look at the page learns once and then looks up: labels by id, style rules, owned elements. Never kept longer.

import {
  attr,
  byId,
  checkVisibility,
  closest,
  contains,
  focusedElement,
  LEAF_TAGS,
  queryAll,
  type Root,
  rootOf,
  tagOf,
} from "../dom/dom.ts";
import { isEditingHost } from "../dom/focusable.ts";
import { isVisible } from "../dom/visibility.ts";
import type { Concern, RootStyles, StyleReader } from "../styles/style-rules.ts";
import type { ClickListeners } from "./click-listeners.ts";
import type { CrossTies } from "./cross-ties.ts";

export interface PassCache {
  /** The element with the focus. */
  readonly focused: Element | null;
  /** The `<label for>` elements of a root, by the id they name, in document order. Never `.labels`: it is quadratic. */
  labelsFor(root: Root): ReadonlyMap<string, Element[]>;
  /** The elements of a root that style rules could concern: only they are worth asking their computed style. */
  stylesOf(root: Root): RootStyles;
  mayHave(el: Element, concern: Concern): boolean;
  /** What an element owns by aria-owns, in its order; undefined for nearly all. */
  ownedBy(el: Element): readonly Element[] | undefined;
  /** Whether anything in the root is owned by something else than its parent. */
  hasOwners(root: Root): boolean;
  /** Whether an id that nothing had when something was to be owned by it is there now. */
  hasAwaited(): boolean;
  /** Whether another element owns it, so that it does not stand where it stands. */
  isOwned(el: Element): boolean;
  /** Whether any element is disabled by aria-disabled (and so maybe what is inside it). */
  anyAriaDisabled(): boolean;
  /** Whether a label's control can be seen by itself; asked by the label and then by the control's own visit. */
  isShown(control: Element): boolean;
  /** Whether it was asked before and is shown. */
  knowsShown(el: Element, tag: string): boolean;
  /** Whether the field once was a password field, whatever it is now. */
  wasSecret(el: Element): boolean;
  /** Whether a click on the element itself is listened for. */
  isPressed(el: Element, role: string): boolean;
  /** Where to note ties between elements, while a look is remembered. */
  readonly links: CrossTies | undefined;
}

export interface PassCacheOptions {
  styles: StyleReader;
  secrets: WeakSet<Element>;
  clicks: ClickListeners;
  links?: CrossTies;
  /** Roots in which nothing is owned: where only a little is looked at, nothing is searched in them. */
  withoutOwners?: ReadonlySet<Root>;
}

export function createPassCache({
  styles: reader,
  secrets,
  clicks,
  links,
  withoutOwners,
}: PassCacheOptions): PassCache {
  const labels = new Map<Root, Map<string, Element[]>>();
  const styles = new Map<Root, RootStyles>();
  const owners = new Map<Element, Element[]>();
  const owned = new Set<Element>();
  const awaited = new Map<Root, Set<string>>();
  const searched = new Map<Root, boolean>();
  const shown = new Map<Element, boolean>();
  let ariaDisabled: boolean | undefined;

  // Several questions about one element follow each other.
  let lastElement: Element | undefined;
  let lastRoot: Root | undefined;
  const rootFor = (el: Element) => {
    if (el !== lastElement) {
      lastElement = el;
      lastRoot = rootOf(el);
    }
    return lastRoot;
  };

  const stylesOf = (root: Root) => {
    const known = styles.get(root);
    if (known !== undefined) return known;
    const asked = reader.ask(root, withoutOwners !== undefined);
    styles.set(root, asked);
    return asked;
  };
  const findOwners = (root: Root | undefined): boolean => {
    if (root === undefined) return false;
    let any = withoutOwners?.has(root) ? false : searched.get(root);
    if (any === undefined) {
      any = false;
      for (const owner of queryAll(root, "[aria-owns]")) {
        any = noteOwner(owner, root, owners, owned) || any;
        noteAwaited(owner, root, awaited);
      }
      searched.set(root, any);
    }
    return any;
  };

  return {
    links,
    focused: focusedElement(),
    isPressed: clicks.isPressed,
    labelsFor(root) {
      let map = labels.get(root);
      if (map === undefined) {
        map = labelMap(root);
        labels.set(root, map);
      }
      return map;
    },
    stylesOf,
    mayHave(el, concern) {
      const root = rootFor(el);
      if (root === undefined) return false;
      const candidates = stylesOf(root)[concern];
      return candidates === "all" || candidates.has(el);
    },
    hasOwners: findOwners,
    ownedBy: (el) => (findOwners(rootFor(el)) ? owners.get(el) : undefined),
    hasAwaited: () => [...awaited].some(([root, ids]) => [...ids].some((id) => byId(root, id) !== null)),
    isOwned: (el) => findOwners(rootFor(el)) && owned.has(el),
    anyAriaDisabled() {
      ariaDisabled ??= queryAll(document, "[aria-disabled=true i]").length > 0;
      return ariaDisabled;
    },
    isShown(control) {
      let is = shown.get(control);
      if (is === undefined) {
        is = checkVisibility(control, { visibilityProperty: true });
        shown.set(control, is);
      }
      return is;
    },
    knowsShown: (el, tag) => tag === "input" && shown.get(el) === true,
    wasSecret(el) {
      if (attr(el, "type")?.toLowerCase() === "password") secrets.add(el);
      return secrets.has(el);
    },
  };
}

function labelMap(root: Root): Map<string, Element[]> {
  const map = new Map<string, Element[]>();
  for (const label of queryAll(root, "label[for]")) {
    const id = attr(label, "for") as string;
    const known = map.get(id);
    if (known === undefined) map.set(id, [label]);
    else known.push(label);
  }
  return map;
}

// An element is owned once, by the first that names it; nothing owns itself or what it stands in, and what is hidden
// owns nothing, for as long as it is. True also then: it may be shown by the next look. Nor does a field, as in Chrome:
// pages name the popups that it opens, and these would be said in its text or not at all.
function noteOwner(
  owner: Element,
  root: Root,
  owners: Map<Element, Element[]>,
  owned: Set<Element>,
): boolean {
  const named = idsOf(attr(owner, "aria-owns")).flatMap((id) => byId(root, id) ?? []);
  const tag = tagOf(owner);
  const isField = LEAF_TAGS.has(tag) || isEditingHost(owner);
  if (isField || !isVisible(owner, tag) || closest(owner, "[aria-hidden=true i]") !== null)
    return named.length > 0;
  const list = named.filter((el) => !owned.has(el) && el !== owner && !contains(el, owner));
  for (const el of list) owned.add(el);
  if (list.length > 0) owners.set(owner, list);
  return named.length > 0;
}

function noteAwaited(owner: Element, root: Root, awaited: Map<Root, Set<string>>): void {
  for (const id of idsOf(attr(owner, "aria-owns"))) {
    if (byId(root, id) !== null) continue;
    const ids = awaited.get(root);
    if (ids === undefined) awaited.set(root, new Set([id]));
    else ids.add(id);
  }
}

/** The ids that an attribute lists. */
export function idsOf(value: string | null): string[] {
  return value === null ? [] : value.split(/\s+/).filter((id) => id !== "");
}
