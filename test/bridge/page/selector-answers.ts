// Compares what the index of selectors says of each element with what the browser says. Runs in the bridge's world.
import { indexSelectors } from "../../../worker/bridge/styles/selector-index.ts";

/** Pairs on which they differ, in words. `keyless`: how many selectors have no key. */
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
