// Finds the elements that hold a text from a line. Text that flows through several elements is one line of the tree.

import { composedParent, contains } from "../dom/dom.ts";
import type { Words } from "./item.ts";
import { comparable } from "./visible-text.ts";

/** Returns the text of an element that a person can read. */
export type TextOf = (el: Element) => string;

/**
 * Returns the elements of a line's words that hold the whole text, each once. If there are none, it returns the
 * innermost element around the text that holds only words of the line. `found` is written as texts are compared.
 */
export function holdersOf({ el, others = [], text }: Words, found: string, visibleTextOf: TextOf): Element[] {
  const textOf = (each: Element) => comparable(visibleTextOf(each));
  const holds = (each: Element) => textOf(each).includes(found);
  const climb = (part: Element): Element | undefined => {
    let up = composedParent(part);
    while (up !== null && !holds(up)) up = composedParent(up);
    return up !== null && comparable(text).includes(textOf(up)) ? up : undefined;
  };
  const parts = [...new Set([el, ...others.flatMap((other) => other.deref() ?? [])])];
  const own = parts.filter(holds);
  if (own.length > 0)
    return own.filter((part) => !own.some((other) => other !== part && contains(part, other)));
  const around = parts.flatMap((part) => climb(part) ?? []);
  const innermost = around.find((each) => around.every((other) => contains(other, each)));
  return innermost === undefined ? [] : [innermost];
}
