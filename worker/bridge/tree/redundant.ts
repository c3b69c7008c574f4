// Removes text below a line that the line's name has already said.

import { ATOMIC, PHRASES } from "../aria/role-names.ts";
import type { Item, Node } from "./item.ts";

const PLAIN = new Set([
  "img",
  "paragraph",
  "generic",
  "caption",
  "status",
  "listitem",
  "list",
  "group",
  ...PHRASES,
]);

/**
 * Returns the nodes that are still needed below a line with this name. An atomic role keeps only the nodes that a
 * client can act on.
 */
export function remaining(children: readonly Node[], name: string, role: string): Node[] {
  const atomic = ATOMIC.has(role);
  const kept: Node[] = [];
  const open = [...children].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "words") {
      if (!atomic && !name.includes(node.text)) kept.push(node);
    } else if (node.kind === "fold" || !isSaid(node, name, atomic)) kept.push(node);
    else for (let i = node.children.length - 1; i >= 0; i--) open.push(node.children[i] as Node);
  }
  return kept;
}

// The item's own line adds nothing, so its content is judged instead.
function isSaid(item: Item, name: string, atomic: boolean): boolean {
  if (item.ref !== 0 || item.hole) return false;
  if (atomic) return true;
  return PLAIN.has(item.role) && item.states === "" && item.value === undefined && name.includes(item.name);
}
