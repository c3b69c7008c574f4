// Compares the selector index with the browser for each element. It runs in the bridge's world.
import { indexSelectors } from "../../../worker/bridge/styles/selector-index.ts";

/** Describes the pairs on which the two differ. `keyless` counts the selectors without a key. */
function differences(selectors: readonly string[]): { wrong: string[]; keyless: number; matched: number } {
  const wrong: string[] = [];
  let matched = 0;
  for (const selector of selectors) {
    const index = indexSelectors([selector], document.compatMode === "BackCompat");
    const rest = new Set(index.keyless.flatMap((each) => [...document.querySelectorAll(each)]));
    for (const el of document.querySelectorAll("*")) {
      const says = rest.has(el) || index.has(el);
      const is = el.matches(selector);
      if (is) matched++;
      if (says !== is) wrong.push(`${selector} on ${el.outerHTML.slice(0, 60)}: ${says}, is ${is}`);
    }
  }
  const all = indexSelectors(selectors, document.compatMode === "BackCompat");
  const rest = new Set(all.keyless.flatMap((each) => [...document.querySelectorAll(each)]));
  for (const el of document.querySelectorAll("*")) {
    const is = selectors.some((selector) => el.matches(selector));
    if ((rest.has(el) || all.has(el)) !== is) wrong.push(`all on ${el.outerHTML.slice(0, 60)}`);
  }
  return { wrong, keyless: all.keyless.length, matched };
}

Object.assign(globalThis, { differences });
