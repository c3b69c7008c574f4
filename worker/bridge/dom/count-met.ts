// Measures how large the document is, as far as the bridge has met it.

import { countElements } from "./dom.ts";

/** Counts the elements of the document and of the shadow roots that the bridge has met. */
export function countMet(shadowRoots: readonly ShadowRoot[]): number {
  let count = countElements(document);
  for (const root of shadowRoots) count += countElements(root);
  return count;
}
