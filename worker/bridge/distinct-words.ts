// The words that set a row, card, list item or option apart from its siblings. A delta names it by them, an action is held
// to them, and what took its place is found by them.

import type { Node } from "./item.ts";
import { inlineText } from "./print.ts";

/** The words on the node's own line and on those below it, in order. */
export function* wordsIn(node: Node): Generator<string, undefined> {
  const open: Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === "fold") continue;
    if (next.kind === "words") yield next.text;
    else {
      if (next.name !== "") yield next.name;
      if (next.value) yield next.value;
      for (let at = next.children.length - 1; at >= 0; at--) open.push(next.children[at] as Node);
    }
  }
  return undefined;
}

/** The first of them, by which a reader finds it; empty where there are none. */
export function leadingWords(node: Node): string {
  if (node.kind !== "element") return node.kind === "words" ? node.text : "";
  node.lead ??= node.name || node.value || firstOf(node.children);
  return node.lead;
}

function firstOf(nodes: readonly Node[]): string {
  for (const node of nodes) {
    const words = leadingWords(node);
    if (words !== "") return words;
  }
  return "";
}

export function hasWords(node: Node, isThem: (words: string) => boolean): boolean {
  for (const words of wordsIn(node)) if (isThem(words)) return true;
  return false;
}

/** Those on its own line: its name, or else its only text. */
export function ownWords(node: Node): string {
  if (node.kind === "fold") return "";
  return (node.kind === "element" && node.name) || (inlineText(node) ?? "");
}
