// When the page has come to rest: no change of the document for a while.

import type { PageContext } from "./page-context.ts";
import { nextFrame } from "./steady.ts";

const WATCHED: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
};
const TURNS = 2;

/** Resolves when no mutation came for `windowMs`, or after `maxMs`. */
export async function quiet(
  context: PageContext,
  { windowMs, maxMs }: { windowMs: number; maxMs: number },
): Promise<{ mutated: boolean }> {
  const until = performance.now() + maxMs;
  let last = performance.now();
  let mutated = false;
  let fresh = false;
  let wake: (() => void) | undefined;
  const observer = watch(context, () => {
    mutated = true;
    fresh = true;
    last = performance.now();
    wake?.();
  });
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  while (performance.now() < until) {
    // What changed may change more before it is painted.
    if (fresh) {
      fresh = false;
      await nextFrame();
    }
    const rest = Math.min(last + windowMs, until) - performance.now();
    if (rest <= 0) break;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, rest);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  observer.disconnect();
  return { mutated };
}

/** Observes the document and the open shadow roots that are known. */
export function watch(context: PageContext, onChange: () => void): MutationObserver {
  const observer = new MutationObserver(onChange);
  observer.observe(document, WATCHED);
  for (const root of context.shadowRoots()) observer.observe(root, WATCHED);
  return observer;
}

/** A turn of the event loop: what the page has queued so far has run. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
