// What a document's bridge keeps from call to call: refs, what style sheets said, secrets, open shadow roots.

import type { Described, Look } from "./api.ts";
import { type CurrentTree, createCurrentTree } from "./current-tree.ts";
import { describe } from "./describe.ts";
import { createRefStore, type Identity, type RefStore } from "./ref-store.ts";
import { createSnapshots, type Snapshots } from "./snapshots.ts";
import { readStyleRules } from "./style-rules.ts";
import { type Survey, survey } from "./survey.ts";

export interface PageContext {
  readonly refs: RefStore;
  /** A fresh look at the page. */
  survey(): Survey;
  /** The document's tree, remembered. */
  readonly current: CurrentTree;
  readonly snapshots: Snapshots;
  noteRoot(root: ShadowRoot): void;
  /** The open shadow roots that were met and are still there. */
  shadowRoots(): ShadowRoot[];
}

export function createContext(): PageContext {
  const refs = createRefStore();
  const styles = readStyleRules();
  const secrets = new WeakSet<Element>();
  const known = new WeakSet<ShadowRoot>();
  let roots: WeakRef<ShadowRoot>[] = [];
  const shadowRoots = () => {
    const alive = roots.flatMap((root) => root.deref() ?? []);
    if (alive.length < roots.length) roots = alive.map((root) => new WeakRef(root));
    return alive.filter((root) => root.isConnected);
  };
  const noteRoot = (root: ShadowRoot) => {
    if (known.has(root)) return;
    known.add(root);
    roots.push(new WeakRef(root));
    current.watch(root);
  };
  const current = createCurrentTree({ refs, styles, secrets, noteRoot, shadowRoots });
  return {
    refs,
    survey: () => survey({ styles, secrets }),
    current,
    snapshots: createSnapshots(),
    noteRoot,
    shadowRoots,
  };
}

/** The element of a ref, or why there is none. */
export type Target = { state: "present"; element: Element } | Exclude<Look, { state: "present" }>;

export function targetOf(context: PageContext, ref: string, prefix = ""): Target {
  const resolved = context.refs.resolve(ref);
  if (resolved.state === "present") return { state: "present", element: resolved.element };
  if (resolved.state === "unknown") return { state: "unknown" };
  return { state: "removed", element: describeRemoved(ref, resolved.identity, prefix) };
}

function describeRemoved(ref: string, identity: Identity, prefix: string): Described {
  return { ref: prefix + ref, ...identity };
}

export function lookAt(context: PageContext, ref: string, prefix = ""): Look {
  const target = targetOf(context, ref, prefix);
  if (target.state !== "present") return target;
  return { state: "present", element: describe(target.element, context.refs, context.survey(), prefix) };
}
