// Finding lines of the tree by text, role, name, or by their numbers.

import type { Found, Query } from "./api.ts";
import type { Item, Node } from "./item.ts";
import type { PageContext } from "./page-context.ts";
import { foldText, headOf, inlineOf, refText } from "./print.ts";
import { inlined } from "./quote.ts";
import { comparable } from "./visible-text.ts";

const PATH_MAX = 20;

interface Place {
  node: Node;
  parent: Place | undefined;
}

/** Elements that match, each as its line under its path, each with a ref whatever it is. */
export function find(context: PageContext, query: Query, prefix: string): Found {
  const found: Found = { hits: [], total: 0 };
  const matches = matcher(query);
  let line = 0;
  for (const place of places(context.see(query.styleMoved ?? true).top)) {
    if (!isLine(place)) continue;
    if (!matches(place.node, line++)) continue;
    found.total += 1;
    if (found.hits.length < query.limit) found.hits.push(hit(place, context, prefix));
  }
  return found;
}

function matcher(query: Query): (node: Node, line: number) => boolean {
  const lines = query.lines === undefined ? undefined : new Set(query.lines);
  const text = query.text === undefined ? undefined : comparable(query.text);
  const name = query.name === undefined ? undefined : comparable(query.name);
  const role = query.role?.trim().toLowerCase();
  return (node, line) => {
    if (lines !== undefined && !lines.has(line)) return false;
    if (role !== undefined && (node.kind !== "element" || node.role !== role)) return false;
    if (name !== undefined && (node.kind !== "element" || !comparable(node.name).includes(name)))
      return false;
    return text === undefined || comparable(textOf(node)).includes(text);
  };
}

/** What a person reads on the line: name, text, value; not its role, states or ref. */
function textOf(node: Node): string {
  if (node.kind !== "element") return node.text;
  const only = node.children.length === 1 ? node.children[0] : undefined;
  const inline = node.value ?? (only?.kind === "words" ? only.text : "");
  return `${node.name} ${inline}`;
}

// All nodes in the order of the lines.
function* places(top: Item): Generator<Place> {
  const stack: Place[] = top.children.map((node) => ({ node, parent: undefined })).reverse();
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    yield place;
    if (place.node.kind !== "element") continue;
    for (let i = place.node.children.length - 1; i >= 0; i--) {
      stack.push({ node: place.node.children[i] as Node, parent: place });
    }
  }
}

// The only text of an item, and what is below a value, stand on the item's own line.
function isLine({ node, parent }: Place): boolean {
  return node.kind !== "words" || parent?.node.kind !== "element" || inlineOf(parent.node) === undefined;
}

function hit(place: Place, context: PageContext, prefix: string): Found["hits"][number] {
  const path: string[] = [];
  for (let up = place.parent; up !== undefined && path.length < PATH_MAX; up = up.parent) {
    if (up.node.kind === "element") path.unshift(headOf(up.node, prefix));
  }
  return { path, line: lineOf(place.node, context, prefix) };
}

function lineOf(node: Node, { refs }: PageContext, prefix: string): string {
  if (node.kind === "fold") return `- ${foldText(node, prefix)}`;
  if (node.kind === "words") {
    const ref = refs.mint(node.el, "generic", node.text.slice(0, 100));
    return `- text [ref=${refText(ref, prefix)}]: ${inlined(node.text)}`;
  }
  const ref = node.ref !== 0 ? node.ref : refs.mint(node.el, node.role, node.name);
  const inline = inlineOf(node);
  return `- ${headOf({ ...node, ref }, prefix)}${inline === undefined ? "" : `: ${inline}`}`;
}
