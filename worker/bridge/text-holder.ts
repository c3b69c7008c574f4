// Which elements hold a text that was found in a line: text that flows through several is one line of the tree.

import { composedParent, contains, textContentOf } from "./dom.ts";
import type { Words } from "./item.ts";
import { comparable } from "./visible-text.ts";

/**
 * The elements among those of a line's words that hold the text by themselves, each once; or else the innermost that
 * holds all of it and nothing but words of the line. `found` as texts are compared.
 */
export function holdersOf({ el, others = [], text }: Words, found: string): Element[] {
  const parts = [...new Set([el, ...others.flatMap((other) => other.deref() ?? [])])];
  const own = parts.filter((part) => holds(part, found));
  if (own.length > 0)
    return own.filter((part) => !own.some((other) => other !== part && contains(part, other)));
  const around = parts.flatMap((part) => climb(part, found, comparable(text)) ?? []);
  const innermost = around.find((each) => around.every((other) => contains(other, each)));
  return innermost === undefined ? [] : [innermost];
}

function climb(part: Element, found: string, line: string): Element | undefined {
  let up = composedParent(part);
  while (up !== null && !holds(up, found)) up = composedParent(up);
  return up !== null && line.includes(textOf(up)) ? up : undefined;
}

const holds = (el: Element, found: string) => textOf(el).includes(found);

const textOf = (el: Element) => comparable(textContentOf(el) ?? "");
