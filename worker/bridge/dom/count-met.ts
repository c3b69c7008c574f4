// How large the document is, as far as it was met.

import { countElements } from "./dom.ts";

/** How many elements stand in the document and the shadow roots that were met. */
export function countMet(shadowRoots: readonly ShadowRoot[]): number {
  let count = countElements(document);
  for (const root of shadowRoots) count += countElements(root);
  return count;
}
