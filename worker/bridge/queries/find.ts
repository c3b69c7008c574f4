// Finds lines of the tree by text, role or name, or by their numbers.

import type { Findable, Found, Query, StyleMoved } from "../api/bridge-api.ts";
import { collapsed, inlined, shortened } from "../dom/quote.ts";
import { refText } from "../dom/ref-text.ts";
import type { PageContext } from "../incremental/page-context.ts";
import type { Item, Node, Words } from "../tree/item.ts";
import { foldText, headOf, inlineOf, inlineText } from "../tree/print.ts";
import { holdersOf, type TextOf } from "../tree/text-holder.ts";
import { comparable, visibleText } from "../tree/visible-text.ts";

const PATH_MAX = 20;
const TEXT_MAX = 2_000;

/** A node of the tree, with the places around it. */
export interface Place {
  node: Node;
  parent: Place | undefined;
}

export function find(context: PageContext, query: Query): Found {
  const found: Found = { hits: [], total: 0 };
  const matches = matcher(query);
  const survey = context.survey();
  const textOf: TextOf = (el) => visibleText(el, survey, context.noteRoot);
  let line = 0;
  for (const place of places(context.update(query.styleMoved ?? true).top)) {
    if (!isLine(place)) continue;
    const match = matches(place.node, line++);
    if (match === undefined) continue;
    const holders = innerHolders(place.node, match, textOf);
    found.total += Math.max(1, holders.length);
    const room = query.limit - found.hits.length;
    if (room <= 0) continue;
    if (holders.length === 0) found.hits.push(hit(place, context));
    for (const holder of holders.slice(0, room))
      found.hits.push(hitInside(place, { holder, text: textOf(holder) }, context));
  }
  return found;
}

export function findable(context: PageContext, styleMoved: StyleMoved): Findable {
  const all: Findable = { texts: [], lines: [] };
  let line = 0;
  for (const place of places(context.update(styleMoved).top)) {
    if (!isLine(place)) continue;
    for (const text of textsOf(place.node)) {
      all.texts.push(text);
      all.lines.push(line);
    }
    line += 1;
  }
  return all;
}

/**
 * Returns the found part of a line's text, written as texts are compared. It is "" if the match was not by text, and
 * undefined without a match.
 */
function matcher(query: Query): (node: Node, line: number) => string | undefined {
  const lines = query.lines && new Map(query.lines.map(({ line, match }) => [line, comparable(match)]));
  const text = query.text === undefined ? undefined : comparable(query.text);
  const name = query.name === undefined ? undefined : comparable(query.name);
  const role = query.role?.trim().toLowerCase();
  return (node, line) => {
    if (lines !== undefined && !lines.has(line)) return undefined;
    if (role !== undefined && (node.kind !== "element" || node.role !== role)) return undefined;
    if (name !== undefined && (node.kind !== "element" || !comparable(node.name).includes(name)))
      return undefined;
    if (text !== undefined && !comparable(textsOf(node).join(" ")).includes(text)) return undefined;
    return text ?? lines?.get(line) ?? "";
  };
}

/** Returns what a person reads on the line: name, text and value, but not role, states or ref. */
export function textsOf(node: Node): string[] {
  if (node.kind !== "element") return [node.text];
  return [node.name, inlineText(node) ?? ""].filter((text) => text !== "");
}

/**
 * Returns the elements that hold the found text, if the line's text flows through several. The line's own element is
 * left out.
 */
function innerHolders(node: Node, match: string, textOf: TextOf): Element[] {
  const words = match === "" ? undefined : wordsOf(node);
  if (words?.others === undefined || !comparable(words.text).includes(match)) return [];
  const holders = holdersOf(words, match, textOf);
  return holders.includes(node.el) && node.kind === "element" ? [] : holders;
}

function wordsOf(node: Node): Words | undefined {
  if (node.kind !== "element") return node.kind === "words" ? node : undefined;
  const only = node.value === undefined && node.children.length === 1 ? node.children[0] : undefined;
  return only?.kind === "words" ? only : undefined;
}

/** Yields all nodes in the order of the lines. */
export function* places(top: Item): Generator<Place> {
  const stack: Place[] = top.children.map((node) => ({ node, parent: undefined })).reverse();
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    yield place;
    if (place.node.kind !== "element") continue;
    for (let i = place.node.children.length - 1; i >= 0; i--) {
      stack.push({ node: place.node.children[i] as Node, parent: place });
    }
  }
}

// An item's only text, and nodes below a value, are on the item's own line.
function isLine({ node, parent }: Place): boolean {
  return node.kind !== "words" || parent?.node.kind !== "element" || inlineOf(parent.node) === undefined;
}

type Hit = Found["hits"][number];

function hit(place: Place, context: PageContext): Hit {
  return { path: pathOf(place), line: lineOf(place.node, context) };
}

/** The line shows the whole text, and the found part is below it. */
function hitInside(
  place: Place,
  { holder, text: whole }: { holder: Element; text: string },
  { refs }: PageContext,
): Hit {
  const text = collapsed(whole.slice(0, TEXT_MAX));
  const ref = refText(refs.mint(holder, "generic", shortened(text, 100)));
  const { node } = place;
  const inline = node.kind === "words" ? node.text : (inlineText(node as Item) ?? "");
  const head = node.kind === "element" ? headOf(node) : "text";
  return {
    path: [...pathOf(place), `${head}: ${inlined(inline)}`],
    line: `- text [ref=${ref}]: ${inlined(text)}`,
  };
}

function pathOf(place: Place): string[] {
  const path: string[] = [];
  for (let up = place.parent; up !== undefined && path.length < PATH_MAX; up = up.parent) {
    if (up.node.kind === "element") path.unshift(headOf(up.node));
  }
  return path;
}

/** Returns a node's line, with a ref whatever it is. */
export function lineOf(node: Node, { refs }: PageContext): string {
  if (node.kind === "fold") return `- ${foldText(node)}`;
  if (node.kind === "words") {
    const ref = refs.mint(node.el, "generic", node.text.slice(0, 100));
    return `- text [ref=${refText(ref)}]: ${inlined(node.text)}`;
  }
  const ref = node.ref !== 0 ? node.ref : refs.mint(node.el, node.role, node.name);
  const inline = inlineOf(node);
  return `- ${headOf({ ...node, ref })}${inline === undefined ? "" : `: ${inline}`}`;
}
