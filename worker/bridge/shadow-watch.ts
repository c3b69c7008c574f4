// Shadow roots attached to elements that were there before: no mutation tells of them.

import { queryAll, type Root, shadowRootOf } from "./dom.ts";

export interface ShadowWatch {
  /** Whether an element in these roots has an open shadow root that it had not when this was last asked. */
  anyNew(roots: readonly Root[]): boolean;
}

export function createShadowWatch(): ShadowWatch {
  const seen = new WeakSet<ShadowRoot>();
  return {
    anyNew(roots) {
      let any = false;
      for (const root of roots) {
        for (const el of queryAll(root, "*")) {
          const shadow = shadowRootOf(el);
          if (shadow === null || seen.has(shadow)) continue;
          seen.add(shadow);
          any = true;
        }
      }
      return any;
    },
  };
}
