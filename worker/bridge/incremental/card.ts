// The words of the card that a line stands in, where cards have no lines of their own: the page groups what a reader sees
// in one row of lines.

import { composedParent, holds } from "../dom/dom.ts";
import type { Node } from "../tree/item.ts";
import type { Difference } from "./differences.ts";
import { leadingWords } from "./distinct-words.ts";
import { refOf, roleOf, type SiblingNames } from "./sibling-names.ts";

/** Groups of more lines say little of one of them. */
const LINES_MAX = 40;

/**
 * Where the line stood among its siblings that sets the innermost group around another apart, of those that hold one;
 * undefined where there is none: words that stand nowhere else beside them, or else a ref.
 */
export function anchorOf(difference: Difference, nowAt: number, names: SiblingNames): number | undefined {
  const { now, after } = difference;
  let around: Element | null = (after[nowAt] as Node).el;
  for (; around !== null && around !== now.el; around = composedParent(around)) {
    const { from, to } = linesIn(around, after, nowAt);
    if (to - from > LINES_MAX || to - from === after.length) return undefined;
    const at = to - from > 1 ? anchorBetween(difference, nowAt, { from, to }, names) : undefined;
    if (at !== undefined) return at;
  }
  return undefined;
}

export interface Stretch {
  from: number;
  to: number;
}

/** The lines around one that the element holds. */
export function linesIn(element: Element, siblings: readonly Node[], at: number): Stretch {
  let from = at;
  let to = at + 1;
  const isInside = (index: number) => {
    const node = siblings[index];
    return node !== undefined && to - from <= LINES_MAX && holds(element, node.el);
  };
  while (isInside(from - 1)) from -= 1;
  while (isInside(to)) to += 1;
  return { from, to };
}

function anchorBetween(
  { before, after, was }: Difference,
  nowAt: number,
  { from, to }: Stretch,
  names: SiblingNames,
): number | undefined {
  let byRef: number | undefined;
  for (let index = from; index < to; index++) {
    const at = was[index] as number;
    if (index === nowAt || at < 0) continue;
    const old = before[at] as Node;
    const words = leadingWords(old);
    const isKept = old === after[index] || words === leadingWords(after[index] as Node);
    if (!isKept) continue;
    const isNamed = refOf(old) !== 0 || names.nameOf(at).nth === 0;
    if (words !== "" && isNamed && names.areAlone(words)) return at;
    if (refOf(old) !== 0 && roleOf(old) !== "…") byRef ??= at;
  }
  return byRef;
}
