// Closed shadow roots: no script but their author's finds them. Whether there are any shows by comparing how many nodes
// Chrome counts with how many are seen from here; the worker hands in those that it finds.

import {
  countTexts,
  documentOf,
  isConnected,
  noteClosed,
  queryAll,
  type Root,
  rootElementOf,
  rootOf,
  shadowRootOf,
} from "../dom/dom.ts";
import type { PageContext } from "./page-context.ts";

/**
 * How many nodes a search for `words` finds in the document and in all shadow roots that can be reached, met or not:
 * every element, and the texts and comments that hold the words.
 */
export function countReached(words: string): number {
  let count = 0;
  const top = rootElementOf(document);
  const open: Root[] = [document];
  for (let root = open.pop(); root !== undefined; root = open.pop()) {
    // What stands beside the root element is not searched.
    const from = root === document ? top : root;
    if (from !== null) count += countTexts(from, words);
    const elements = queryAll(root, "*");
    count += elements.length;
    for (const el of elements) {
      const inside = shadowRootOf(el);
      if (inside !== null) open.push(inside);
    }
  }
  return count;
}

/** Makes the closed root that a node is, or is in, known; false where it was, or is no longer in the document. */
export function openRoot(context: PageContext, node: Node): boolean {
  if (!isConnected(node) || documentOf(node) !== document) return false;
  const root = rootOf(node);
  if (!(root instanceof ShadowRoot) || !noteClosed(root)) return false;
  context.noteRoot(root);
  return true;
}
