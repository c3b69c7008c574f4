// Finds the words of the card around a line, if the tree has no lines for cards. The page still groups the elements
// that a reader sees in one row of lines.

import { composedParent, holds } from "../dom/dom.ts";
import type { Node } from "../tree/item.ts";
import type { Difference } from "./differences.ts";
import { leadingWords } from "./distinct-words.ts";
import { refOf, roleOf, type SiblingNames } from "./sibling-names.ts";

/** A group of more lines says little about each of them. */
const LINES_MAX = 40;

/**
 * Returns the index of a line that identifies the card around another line. It takes the innermost group that has such
 * a line. That line has words that appear nowhere else beside it, or else a ref. The index is the line's old one among
 * its siblings, and is undefined if there is none.
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

/** Returns the range of neighbouring lines that the element holds. */
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
