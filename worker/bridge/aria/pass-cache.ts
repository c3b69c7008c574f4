// Keeps what one pass over the page has learned: labels by id, style rules, owned elements. It lives only for that
// pass.

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
  /**
   * Returns the `<label for>` elements of a root by the id in `for`, in document order. It avoids `.labels`, which
   * takes quadratic time.
   */
  labelsFor(root: Root): ReadonlyMap<string, Element[]>;
  /** Returns the elements of a root that style rules could concern. Only their computed style is worth a question. */
  stylesOf(root: Root): RootStyles;
  mayHave(el: Element, concern: Concern): boolean;
  /** Returns the elements that `el` owns by aria-owns, in that order. It is undefined for nearly all elements. */
  ownedBy(el: Element): readonly Element[] | undefined;
  /** Reports if an element of the root is owned by something other than its parent. */
  hasOwners(root: Root): boolean;
  /** Reports if an id in aria-owns that no element had before now has an element. */
  hasAwaited(): boolean;
  /** Reports if another element owns `el`. It then appears under its owner, not at its own position. */
  isOwned(el: Element): boolean;
  /** Reports if aria-disabled disables any element. It may disable the elements inside, too. */
  anyAriaDisabled(): boolean;
  /** Reports if a label's control is visible by itself. First the label asks, and then the visit to the control. */
  isShown(control: Element): boolean;
  /** Reports if the element was asked about before and is visible. */
  knowsShown(el: Element, tag: string): boolean;
  /** Reports if the field was ever a password field, even if it is none now. */
  wasSecret(el: Element): boolean;
  /** Reports if a listener takes clicks on the element itself. */
  isPressed(el: Element, role: string): boolean;
  /** Takes the ties between elements, while a pass is remembered. */
  readonly links: CrossTies | undefined;
}

export interface PassCacheOptions {
  styles: StyleReader;
  secrets: WeakSet<Element>;
  clicks: ClickListeners;
  links?: CrossTies;
  /** The element that had the focus at the time of the tree that the pass adds to. By default, it is the present one. */
  focused?: Element | null;
  /** Nothing is owned in these roots. A pass over a small part does not search them. */
  withoutOwners?: ReadonlySet<Root>;
}

export function createPassCache({
  styles: reader,
  secrets,
  clicks,
  links,
  focused = focusedElement(),
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

  // Several questions about the same element follow each other.
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
    focused,
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

// The first element that names another owns it. No element owns itself or an ancestor. A hidden element owns nothing,
// but the result is still true, because it may be visible in the next pass. A field owns nothing either, as in Chrome.
// Pages name the field's popups there, and these would appear in its text or not at all.
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

/** Returns the ids that an attribute lists. */
export function idsOf(value: string | null): string[] {
  return value === null ? [] : value.split(/\s+/).filter((id) => id !== "");
}
