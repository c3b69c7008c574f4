// Has what a document's bridge keeps from call to call: refs, style rules, secrets, open shadow roots.

import type { Described, StyleMoved } from "../api/bridge-api.ts";
import { type ClickListeners, createClickListeners } from "../aria/click-listeners.ts";
import { createInternals, type Internals } from "../aria/internals.ts";
import { createPassCache, type PassCache } from "../aria/pass-cache.ts";
import { createRefStore, type RefStore } from "../dom/ref-store.ts";
import { readStyleRules } from "../styles/style-rules.ts";
import type { Item } from "../tree/item.ts";
import { type CurrentTree, createCurrentTree } from "./current-tree.ts";
import { createSnapshots, type Snapshots } from "./snapshots.ts";

export interface PageContext {
  readonly refs: RefStore;
  /** The fields whose value stays masked. */
  readonly secrets: WeakSet<Element>;
  readonly clicks: ClickListeners;
  readonly internals: Internals;
  /** Begins a new pass over the page. With `anew`, it also reads style sheets again that may have been edited. */
  survey(anew?: boolean): PassCache;
  /** The document's tree, which is remembered. */
  readonly current: CurrentTree;
  readonly snapshots: Snapshots;
  /** The fields that the session has edited, with the number of the newest tree at that time. */
  readonly edits: WeakMap<Element, number>;
  /**
   * Returns the document's current tree and keeps it under its number. `styleMoved` is as for {@link
   * CurrentTree.update}, and `passing` is as for {@link Snapshots.keep}.
   */
  update(styleMoved: StyleMoved, passing?: boolean): { top: Item; snapshot: number };
  /** Does the same with {@link CurrentTree.overview}. */
  overview(styleMoved: StyleMoved): { top: Item; snapshot: number };
  noteRoot(root: ShadowRoot): void;
  /** Returns the open shadow roots that were met and are still there. */
  shadowRoots(): ShadowRoot[];
}

export function createContext(): PageContext {
  const refs = createRefStore();
  const styles = readStyleRules();
  const secrets = new WeakSet<Element>();
  const clicks = createClickListeners();
  const known = new WeakSet<ShadowRoot>();
  let roots: WeakRef<ShadowRoot>[] = [];
  const shadowRoots = () => {
    const alive = roots.flatMap((root) => root.deref() ?? []);
    if (alive.length < roots.length) roots = alive.map((root) => new WeakRef(root));
    return alive.filter((root) => root.isConnected);
  };
  const internals = createInternals(shadowRoots);
  const noteRoot = (root: ShadowRoot) => {
    if (known.has(root)) return;
    known.add(root);
    roots.push(new WeakRef(root));
    current.watch(root);
  };
  const current = createCurrentTree({ refs, styles, secrets, clicks, internals, noteRoot, shadowRoots });
  const snapshots = createSnapshots();
  return {
    refs,
    secrets,
    clicks,
    internals,
    survey(anew = false) {
      if (anew) styles.renew();
      return createPassCache({ styles, secrets, clicks });
    },
    current,
    snapshots,
    edits: new WeakMap(),
    update(styleMoved, passing) {
      const top = current.update(styleMoved);
      return { top, snapshot: snapshots.keep(top, passing) };
    },
    overview(styleMoved) {
      const top = current.overview(styleMoved);
      return { top, snapshot: snapshots.keep(top) };
    },
    noteRoot,
    shadowRoots,
  };
}

/** The element of a ref, or the reason why there is none. */
export type Target =
  | { state: "present"; element: Element; number: number }
  | { state: "removed"; element: Described }
  | { state: "unknown" };

export function targetOf(context: PageContext, ref: string): Target {
  const resolved = context.refs.resolve(ref);
  if (resolved.state === "present") return resolved;
  if (resolved.state === "unknown") return { state: "unknown" };
  return { state: "removed", element: { ref, ...resolved.identity } };
}
