// Finds closed shadow roots, which only their author's script can reach. If Chrome counts more nodes than the bridge
// can reach, there are some. The worker finds these roots and hands them in.

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

export function countReached(words: string): number {
  let count = 0;
  const top = rootElementOf(document);
  const open: Root[] = [document];
  for (let root = open.pop(); root !== undefined; root = open.pop()) {
    // Chrome does not search nodes beside the root element.
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

/**
 * Makes a closed root known, by the root itself or a node in it. It returns false if the root was known, or is no
 * longer in the document.
 */
export function openRoot(context: PageContext, node: Node): boolean {
  if (!isConnected(node) || documentOf(node) !== document) return false;
  const root = rootOf(node);
  if (!(root instanceof ShadowRoot) || !noteClosed(root)) return false;
  context.noteRoot(root);
  return true;
}
