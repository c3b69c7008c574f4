// Lists the elements inside another as they are rendered, through shadow roots and slots.

import { contentNodes, isElement, tagOf } from "./dom.ts";
import { visibilityOf } from "./visibility.ts";

const ELEMENTS_MAX = 20_000;

/** Yields the element itself and then the rendered elements in it, at most `ELEMENTS_MAX`. */
export function* elementsIn(root: Element): Generator<Element> {
  let left = ELEMENTS_MAX;
  const stack = [root];
  for (let el = stack.pop(); el !== undefined && left > 0; el = stack.pop()) {
    if (visibilityOf(el, tagOf(el)) === "gone") continue;
    left--;
    yield el;
    stack.push(...[...contentNodes(el)].filter((node) => isElement(node)).reverse());
  }
}
