// Text that a line's name has said already is not said again below it.

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

/** What is left to say below a line with this name. Of an atomic role's content, only what can be acted on. */
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

// An item whose own line adds nothing: what is in it is looked at instead.
function isSaid(item: Item, name: string, atomic: boolean): boolean {
  if (item.ref !== 0 || item.hole) return false;
  if (atomic) return true;
  return PLAIN.has(item.role) && item.states === "" && item.value === undefined && name.includes(item.name);
}
