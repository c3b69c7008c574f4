// The document as text.

import type { Tree, TreeOptions } from "./api.ts";
import { rootElementOf } from "./dom.ts";
import type { Item } from "./item.ts";
import type { PageContext } from "./page-context.ts";
import { print } from "./print.ts";
import { walk } from "./walk.ts";

/** Forgets what was removed, walks, prints. */
export function tree(context: PageContext, options: TreeOptions): Tree {
  context.refs.prune();
  const resolved = options.ref === undefined ? undefined : context.refs.resolve(options.ref);
  if (resolved !== undefined && resolved.state !== "present") {
    return { text: "", elementCount: 0, frames: [], missing: resolved.state };
  }
  const root = resolved?.element ?? rootElementOf(document);
  if (root === null) return { text: "", elementCount: 0, frames: [] };
  const top = items(context, root, resolved !== undefined);
  const refOf = (item: Item) =>
    item.ref !== 0 ? item.ref : context.refs.mint(item.el, item.role, item.name);
  const printed = print(top, { ...options, refOf });
  return { text: printed.lines.join("\n"), elementCount: top.size, frames: printed.frames };
}

/** The items of the document, or of one element that is shown even where it is hidden. */
export function items(context: PageContext, root: Element, whole: boolean): Item {
  return walk(root, { survey: context.survey(), refs: context.refs, noteRoot: context.noteRoot }, whole);
}
