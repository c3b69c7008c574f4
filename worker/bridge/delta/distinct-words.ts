// Finds the distinct words of a row, card, list item or option. A delta names it by them, an action is checked against
// them, and its successor is found by them.

import type { Node } from "../tree/item.ts";
import { inlineText } from "../tree/print.ts";

/**
 * Yields the words on the node's own line and on the lines below, in order. `edited`: a field whose content does not
 * count.
 */
export function* wordsIn(node: Node, edited?: Element): Generator<string, undefined> {
  const open: Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === "fold") continue;
    if (next.kind === "words") yield next.text;
    else {
      if (next.name !== "") yield next.name;
      if (next.el === edited) continue;
      if (next.value) yield next.value;
      for (let at = next.children.length - 1; at >= 0; at--) open.push(next.children[at] as Node);
    }
  }
  return undefined;
}

/**
 * Returns the first words, by which a reader finds the node, or "" if there are none. Each item on the way keeps them.
 */
export function leadingWords(node: Node): string {
  const own = leadOf(node);
  if (own !== undefined || node.kind !== "element") return own ?? "";
  const path = [{ item: node, at: 0 }];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const child = last.item.children[last.at++];
    const words = child === undefined ? "" : leadOf(child);
    if (words === undefined && child?.kind === "element") path.push({ item: child, at: 0 });
    else if (words) {
      for (const { item } of path) item.lead = words;
      return words;
    } else if (child === undefined) {
      last.item.lead = "";
      path.pop();
    }
  }
  return "";
}

/** Returns undefined if the words have yet to be found. */
function leadOf(node: Node): string | undefined {
  if (node.kind !== "element") return node.kind === "words" ? node.text : "";
  return node.lead ?? (node.name || node.value || undefined);
}

export function hasWords(node: Node, isThem: (words: string) => boolean): boolean {
  for (const words of wordsIn(node)) if (isThem(words)) return true;
  return false;
}

/** Returns the words on the node's own line: its name, or else its only text. */
export function ownWords(node: Node): string {
  if (node.kind === "fold") return "";
  return (node.kind === "element" && node.name) || (inlineText(node) ?? "");
}
